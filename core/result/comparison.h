#pragma once

#include "core/plan/plan.h"
#include "core/stats/compare.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// The metrics by which targets are compared, in this order.
inline constexpr std::array<std::string_view, 3> kComparedMetrics = {"rps", "p50", "p99"};

/// One target b against the first one a, in one workload at one level, over the rounds that both finished.
struct Comparison {
    std::string workload;
    Level level;
    std::string metric; ///< "rps", "p50", "p99"
    std::string a, b;
    PairedRatio figures;                       ///< for p50 and p99 a ratio above 1 is slower; 0 rounds: no ratio
    double confidence = 0.95;                  ///< level of the interval; the error of 5 % is shared, see compare.h
    std::vector<std::optional<double>> ratios; ///< b/a of each round in order; absent where either has none
    bool control = false;                      ///< b is a once more
    bool rankable = true;                      ///< false: generator, client or errors limited a trial of either
    std::optional<double> noiseFloor;          ///< of this workload, level and metric, as a share; from the control
    std::string sentence;                      ///< what may be said of it
    std::string unknownJson;                   ///< keys of a file this version does not know, kept as compact JSON
};

/// The targets of one workload and level that may be ranked, best first.
struct Ranking {
    struct Place {
        std::string target;
        unsigned rank = 1; ///< from 1; targets between which no difference can be shown share one
        double rps = 0;    ///< median over rounds
    };
    std::string workload;
    Level level;
    std::vector<Place> places;
};

} // namespace lapbench
