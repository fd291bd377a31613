#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// What the guard tells Lapbench, one line each over their pipe.
struct GuardReport {
    enum class Kind {
        started, ///< the server runs: `pid`, `execNs`
        failed,  ///< it could not be started: `error` (errno), `inFolder` where the working folder was the reason
        ended    ///< the server has ended by itself: `status` as of waitpid
    };
    Kind kind = Kind::started;
    pid_t pid = 0;
    std::int64_t execNs = 0; ///< steadyNs() just before exec
    int error = 0;
    bool inFolder = false;
    int status = 0;
};

/// With its line end; short enough that a pipe takes it whole.
std::string formatReport(const GuardReport& report);
/// The inverse, without the line end.
std::optional<GuardReport> parseReport(std::string_view line);

} // namespace lapbench
