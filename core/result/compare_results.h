#pragma once

#include "core/plan/plan.h"
#include "core/result/semantics_match.h"
#include "core/result/session_result.h"
#include "core/stats/welch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// A result under the name by which it is told from the others.
struct NamedResult {
    std::string name;
    SessionResult result;
};

/// Something that is not the same in all results.
struct ResultDifference {
    std::string what;                               ///< "host.kernel", "plan.measure.duration"
    std::vector<std::optional<std::string>> values; ///< one a result; absent where it is not known or not there
};

/// One metric of one cell; latency in microseconds.
struct ComparedValue {
    std::optional<double> median;
    bool atLeast = false;       ///< of the median: "at least this"
    std::vector<double> rounds; ///< those that ended, were not superseded and have a value
    std::size_t bounds = 0;     ///< how many of them are only known as "at least this"
};

/// One target of one result in one workload at one level.
struct ComparedSide {
    std::size_t result = 0;    ///< index into the results
    std::string target, label; ///< the name in the plan and the one for people
    std::uint64_t failed = 0;  ///< requests, over all rounds that ended
    std::array<ComparedValue, kComparedMetrics.size()> values;
    std::string struck; ///< why no figure of it may be compared, as a sentence; empty: it may
    Meaning meaning;    ///< of its figures
};

/// One metric of side b against side a.
struct SidePair {
    std::size_t metric = 0;               ///< index into kComparedMetrics
    std::size_t a = 0, b = 0;             ///< indexes into ComparedRow::sides
    std::optional<UnpairedRatio> figures; ///< b/a; absent where they are not compared
    double confidence = 0.95;             ///< level of the interval
    std::string refused;                  ///< why they are not
    std::string sentence;                 ///< what may be said of it
};

/// What stands side by side: a target in several results, or different targets of different results.
struct ComparedRow {
    std::string workload;
    Level level;
    std::vector<ComparedSide> sides; ///< two or more, in the order of the results, at most one of each
    std::vector<SidePair> pairs;     ///< each further side against the first: all metrics of it, then the next side

    std::string label() const; ///< of the targets: "Node.js 22", or "Node.js 22, Bun 1.1" where they differ
};

/// A cell that no other result has.
struct UnmatchedCell {
    std::string workload;
    Level level;
    ComparedSide side;
    std::string reason; ///< "no such level in after"
};

/// Which result a column is of.
struct ComparedResult {
    std::string name, id;
    UtcTime created{};
};

/// Several results side by side.
struct ResultComparison {
    std::vector<ComparedResult> results;
    std::vector<ResultDifference> differences;
    std::size_t differencesLeftOut = 0; ///< of plan settings, beyond kMostPlanDifferences
    std::vector<ComparedRow> rows;      ///< those of one workload and level follow each other
    std::vector<UnmatchedCell> unmatched;
    std::vector<std::string> notes; ///< sentences on what the figures hold
    double zone = 0.02;             ///< of equivalence: the first result's plan says it
};

inline constexpr std::size_t kMostPlanDifferences = 40;

/// What differs between results: day, tool, scale, machine and its conditions, runtimes, what was on the wire, and the
/// settings of the plans by their paths, options that a plan leaves out at their defaults.
std::vector<ResultDifference> differencesOf(const std::vector<NamedResult>& results, std::size_t& leftOut);

/// Compares two or more results. Cells match by workload, level and target, by their names. Where a result has no
/// target in common with the first one, its targets stand against the first target of that. Rounds of different
/// sessions are not paired: each ratio has a Welch interval, the error of 5 % shared by the comparisons of one
/// workload, level and metric. Latencies are compared only where the load as set was the same, and nothing of a cell
/// with a trial that says nothing about its server. Figures of other tools are compared where they mean the same
/// (semantics_match.h), beside the workload and level that alignImported() finds. The control of a session is left out.
ResultComparison compareResults(const std::vector<NamedResult>& results);

/// "lapbench-comparison" as in docs/formats.md.
std::string formatComparison(const ResultComparison& comparison);

} // namespace lapbench
