#include "core/stats/warm_up.h"

namespace lapbench {

namespace {

constexpr std::size_t kSmoothedOver = 5;
constexpr double kWarm = 0.95;

} // namespace

std::optional<double> warmAfter(std::span<const Progress> progress, double steadyRps)
{
    if (steadyRps <= 0)
        return std::nullopt;
    for (std::size_t i = 0; i + kSmoothedOver < progress.size(); ++i) {
        const Progress& from = progress[i];
        const Progress& to = progress[i + kSmoothedOver];
        const double seconds = static_cast<double>(to.atNs - from.atNs) / 1e9;
        if (static_cast<double>(to.right - from.right) >= kWarm * steadyRps * seconds)
            return static_cast<double>(from.atNs - progress.front().atNs) / 1e9;
    }
    return std::nullopt;
}

} // namespace lapbench
