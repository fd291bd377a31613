#pragma once

#include "core/load/pacer.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace lapbench {

/// One stretch of a trial, the same for all workers, and the rules by which it ends; all functions are pure. Times are
/// steadyNs().
struct Stage {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    bool measured = false;   ///< it holds the window
    bool counted = false;    ///< requests come out of the budget; otherwise closeNs ends it
    bool drains = false;     ///< open requests are waited for after closeNs, and not left unfinished
    std::int64_t openNs = 0; ///< the window opens here; answers that end before belong to the warm-up
    std::int64_t closeNs = kNever;
    std::optional<Arrivals> arrivals{}; ///< open loop: when its requests are due; absent: closed loop
    std::uint64_t arrivalCount = 0;     ///< how many of them there are, where it counts
    std::uint64_t firstNumber = 0;      ///< of the request that is arrival 0
};

enum class Part { warmup, window, after };

/// The part of a stage in which an answer that ended at `endNs` counts: the window is [openNs, closeNs).
constexpr Part partOf(const Stage& stage, std::int64_t endNs)
{
    if (!stage.measured || endNs < stage.openNs)
        return Part::warmup;
    return endNs < stage.closeNs ? Part::window : Part::after;
}

/// Whether a request may start now, the budget aside.
constexpr bool mayStart(const Stage& stage, std::int64_t nowNs)
{
    return nowNs < stage.closeNs;
}

/// Whether a worker is through with a stage. `exhausted`: no more requests can be had from the budget.
constexpr bool isOver(const Stage& stage, std::int64_t nowNs, bool exhausted, unsigned outstanding)
{
    if (nowNs >= stage.closeNs)
        return !stage.drains || outstanding == 0;
    return stage.counted && exhausted && outstanding == 0;
}

} // namespace lapbench
