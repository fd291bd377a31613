#pragma once

#include "core/result/comparison.h"
#include "core/result/session_result.h"

#include <QString>

#include <vector>

namespace lapbench {

/// Words for the doubts that stand beside the numbers. A word and a shape each, so that nothing is said by colour
/// alone.

/// "▲ faster", "▼ slower", "= equivalent", "? cannot tell", with "(thin)" where it rests on few rounds; a dash where
/// there is no ratio. Where a trial of either says nothing about its server: "⊘ no verdict".
QString verdictText(const Comparison& comparison);
/// "⊘ not ranked".
QString notRankedText();

/// "generator", "client limit", ..
QString limitText(Limit limit);

/// What limited some trials of one target.
struct LimitsFound {
    QString names;    ///< each kind once, in the order of the rules: "generator, server"; empty: none is known
    QString reasons;  ///< a line a kind, with how many trials and the first one's reason
    QString obstacle; ///< why the target is not ranked; empty: it is
};
/// Of the trials of one row; those that are not done or do not count are passed over.
LimitsFound limitsOf(const std::vector<const Trial*>& trials);

/// "not ranked: generator" for a trial that says nothing about its server, else empty.
QString doubtOf(const Trial& trial);

} // namespace lapbench
