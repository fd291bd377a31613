#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// What one target answered to one request of the plan before the first round.
struct FairProbe {
    std::string target, workload, request; ///< `request`: name of the kind within the workload
    std::string failure;                   ///< why there is no answer; empty where there is one
    int status = 0;
    std::string httpVersion;                                  ///< "1.1"
    std::vector<std::pair<std::string, std::string>> headers; ///< as they came
    std::string framing;                                      ///< "content-length", "chunked", "close"
    std::string compression;                                  ///< Content-Encoding; empty: none
    bool date = false, closes = false;                        ///< has a Date; announces the connection's end
    std::uint64_t bodyBytes = 0;
    std::string bodySha256; ///< of the body, or of its JSON without ignored fields
};

/// One difference between targets in what they do for the same request.
struct FairFinding {
    std::string code;     ///< "body_length", "body_content", "status", "compression", "closes", "http_version", ..
    std::string severity; ///< "info", "warning", "error"
    std::string workload, request;
    std::vector<std::string> targets; ///< that differ from the first
    std::string text;                 ///< one sentence
};

/// Whether the targets do the same work: what each answered, and where they differ.
struct FairWork {
    std::vector<FairProbe> probes;
    std::vector<FairFinding> findings;

    /// "equal", "differs" (an error among the findings), "differs_little" (warnings), or "unknown" (no probe answered).
    std::string verdict() const;
};

} // namespace lapbench
