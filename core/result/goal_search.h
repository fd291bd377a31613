#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// One rate that was tried in a search for the highest rate under a goal.
struct GoalStep {
    double rate = 0;                                                  ///< asked for, requests a second
    std::optional<double> rps, p50Us, p99Us, goalUs;                  ///< `goalUs`: the percentile that the goal names
    bool p50AtLeast = false, p99AtLeast = false, goalAtLeast = false; ///< beyond the censored tail: at least so much
    std::optional<double> failedShare;
    bool held = false; ///< the goal was kept
    std::string why;   ///< where not: one sentence
};

/// A search for the highest rate that keeps a goal: one trial's.
struct GoalSearch {
    std::string goal;            ///< "p99 <= 10 ms, at most 0.1 % errors"
    std::optional<double> rate;  ///< the highest rate that was kept; absent: not even the lowest
    bool atLeast = false;        ///< even the highest rate tried was kept: the generator or the bounds ended it
    std::string reason;          ///< with `atLeast`: what ended it; one sentence
    std::vector<GoalStep> steps; ///< in the order they were tried
};

} // namespace lapbench
