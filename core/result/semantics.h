#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Whether latencies make up for what a stalled closed loop did not ask.
enum class Correction {
    unknown,
    none,       ///< from the send to the answer, as it was
    backfilled, ///< samples were made up for the time of a stall afterwards
    intended    ///< from when the request was due, as in an open loop
};

enum class BytesKind {
    unknown,
    body, ///< bodies of answers only
    wire  ///< with heads
};

/// What the figures of another tool's trial mean. What its output and its documentation do not tell is absent.
struct Semantics {
    std::string tool;                          ///< "wrk", "k6"
    std::string form;                          ///< which of its outputs: "text", "JSON", "CSV"
    std::optional<bool> latencyIncludesErrors; ///< failed requests are among the latencies
    std::optional<bool> rpsCountsErrors;       ///< failed requests are among the requests per second
    Correction correction = Correction::unknown;
    std::optional<double> resolutionUs; ///< step in which latencies are printed; where it grows with them, the finest
    BytesKind bytes = BytesKind::unknown;
    std::vector<std::string> notes; ///< known faults of the tool that touch these figures, as sentences

    bool operator==(const Semantics&) const = default;
};

} // namespace lapbench
