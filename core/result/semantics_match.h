#pragma once

#include "core/result/session_result.h"

#include <string>
#include <string_view>

namespace lapbench {

/// What the figures of a trial mean: another tool's as it was imported, Lapbench's own as docs/numbers.md says.
struct Meaning {
    Semantics semantics;
    bool noneFailed = false; ///< no request failed, so it makes no difference where failed ones are counted

    bool operator==(const Meaning&) const = default;
};

Meaning meaningOf(const Trial& trial);

/// "wrk (text): failed requests are among the requests a second and are among the latencies; these are counted
/// back-filled for stalls, in steps of 10.0 us; bytes are those of heads and bodies"
std::string meaningInWords(const Semantics& semantics);

/// A latency printed in steps larger than this share of itself is not compared.
inline constexpr double kCoarsestStep = 0.10;

/// Why `metric` (of kComparedMetrics) of two trials is not the same thing under one name, as part of a sentence; empty
/// where it is. `value` is the smaller of the two figures; names are for the sentence.
std::string whyOtherMeaning(const Meaning& a, const std::string& nameA, const Meaning& b, const std::string& nameB,
                            std::string_view metric, double value);

} // namespace lapbench
