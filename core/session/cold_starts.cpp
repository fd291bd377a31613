#include "core/session/cold_starts.h"

#include "core/stats/rounds.h"

#include <algorithm>
#include <utility>

namespace lapbench {

ColdStarts coldStartsOf(std::string target, std::vector<double> ms, std::string failure)
{
    ColdStarts starts{std::move(target), std::move(ms), std::nullopt, std::nullopt, std::move(failure)};
    starts.medianMs = median(starts.ms);
    if (!starts.ms.empty()) {
        std::vector<double> sorted = starts.ms;
        std::sort(sorted.begin(), sorted.end());
        const std::size_t rank = (95 * sorted.size() + 99) / 100; // ceil(0.95 n), from 1
        starts.p95Ms = sorted[rank - 1];
    }
    return starts;
}

} // namespace lapbench
