#include "core/stats/stalls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lapbench {

namespace {

struct Known {
    const char* name;
    const char* at;
    double from, to; ///< seconds
    const char* explanation;
};

// Linux: TCP_DELACK_MIN 40 ms, TCP_RTO_MIN 200 ms, TCP_TIMEOUT_INIT 1 s, doubled for the second attempt. A crowd trails
// off above by the ticks that the kernel's timers are late, up to two of 4 ms at the first, an eighth for the long
// ones.
constexpr std::array<Known, 4> kKnown = {{
    {"40ms", "40 ms", 0.0395, 0.0495,
     "a delayed acknowledgement that a small segment waited for (Nagle's algorithm; TCP_NODELAY, or writing head and "
     "body at once, ends it)"},
    {"200ms", "200 ms", 0.198, 0.220,
     "a lost segment that was sent again after the shortest timeout of TCP, or a delayed acknowledgement"},
    {"1s", "1 s", 0.99, 1.10,
     "the first packet of a connection that was lost, as with a full listen queue, and was sent again"},
    {"3s", "3 s", 2.97, 3.35, "the first packet of a connection that was lost twice, as with a full listen queue"},
}};

constexpr std::uint64_t kFewest = 20;
constexpr double kLeastShare = 0.001;
constexpr double kDenser = 4;
constexpr double kAround = 1.3; // the surroundings reach as far on either side

double countBetween(const Histogram& histogram, double fromSeconds, double toSeconds)
{
    double count = 0;
    const std::size_t last = hdr::indexOf(static_cast<std::int64_t>(toSeconds * 1e9));
    for (std::size_t i = hdr::indexOf(static_cast<std::int64_t>(fromSeconds * 1e9)); i < last; ++i)
        count += static_cast<double>(histogram.countAt(i));
    return count;
}

bool isMuch(std::uint64_t count, std::uint64_t all)
{
    return count >= kFewest && static_cast<double>(count) >= kLeastShare * static_cast<double>(all);
}

} // namespace

std::vector<Stall> findStalls(const LoadFigures& load)
{
    std::vector<Stall> found;
    const std::uint64_t all = load.histogram.total();
    const auto density = [&](double from, double to) {
        return countBetween(load.histogram, from, to) / std::log(to / from);
    };
    for (const Known& known : kKnown) {
        const auto [from, to] = std::pair(known.from, known.to);
        const double around = std::max(density(from / kAround, from), density(to, to * kAround));
        const double excess = countBetween(load.histogram, from, to) - around * std::log(to / from);
        if (density(from, to) < kDenser * around || excess < 0 || !isMuch(static_cast<std::uint64_t>(excess), all))
            continue;
        const auto count = static_cast<std::uint64_t>(excess);
        found.push_back(
            {known.name, known.at, known.explanation, count, static_cast<double>(count) / static_cast<double>(all)});
    }
    std::uint64_t timedOut = 0;
    for (const ErrorCount& error : load.errors)
        if (error.kind == ErrorKind::timeout)
            timedOut += error.count;
    if (isMuch(timedOut, load.completed()))
        found.push_back({"timeout", "", "the server let them wait that long", timedOut,
                         static_cast<double>(timedOut) / static_cast<double>(load.completed())});
    return found;
}

} // namespace lapbench
