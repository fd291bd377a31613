#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <filesystem>

namespace lapbench {

/// A result as a command takes it: a file of Lapbench, a journal, or what another tool has written.
struct ResultSource {
    std::filesystem::path file;
    SessionResult result;
    bool own = false;     ///< the file is a whole result of Lapbench
    bool foreign = false; ///< it is the output of another tool

    /// As a file of Lapbench: the very bytes where it is one.
    Result<std::string> text() const;
};

/// Problems: it cannot be read, or is nothing that is known.
Result<ResultSource> readSource(const std::filesystem::path& file);

} // namespace lapbench
