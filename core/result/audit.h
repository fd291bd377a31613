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
    std::string framing;               ///< "content-length", "chunked", "close", "stream" (HTTP/2), "none" (no body)
    std::string compression;           ///< Content-Encoding; empty: none
    bool date = false, closes = false; ///< has a Date; the connection ends with the answer, announced or not
    std::uint64_t bodyBytes = 0;
    std::string bodySha256;          ///< of the body, or of its JSON without ignored fields
    std::string method, path;        ///< what was asked: "GET", "/users/42"
    std::string contentType;         ///< Content-Type without its parameters; empty: none
    bool bodyCut = false;            ///< longer than the probe reads: the hash is of its beginning
    std::uint64_t comparedBytes = 0; ///< length that is compared: of the decoded body, without ignored fields
    /// The answer to the same request sent again was another: the JSON pointer of the first field that differs,
    /// "body" or "status"; empty: it was the same.
    std::string varies;
    /// Whether comparedBytes is the whole length: of a body that was cut only where its head says it.
    bool lengthKnown() const { return !bodyCut || (compression.empty() && framing == "content-length"); }

    std::string label; ///< of the target, for people; not saved
    std::string body;  ///< uncompressed, where it is small; not saved
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
