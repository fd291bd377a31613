#pragma once

#include "ui/bridge/session_event.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lapbench {

/// One place on the live charts: an interval, or several taken together. Only finite values; absent where unknown.
struct LivePoint {
    double t = 0; ///< seconds since the window opened, at the end of the interval
    std::optional<double> rps;
    std::optional<double> p25Us, p50Us, p75Us, p99Us;
    std::optional<double> noise = {}; ///< share of the machine that others and steal took
};

/// What the charts draw of one trial: grows with the trial, is drawn with at most `kMostPoints` points. A value type.
class LiveSeries {
public:
    static constexpr std::size_t kMostPoints = 200;

    void add(const LiveInterval& interval);
    void add(const LivePoint& point) { m_points.push_back(point); }
    /// A saved trial, by its seconds.
    static LiveSeries fromTrial(const Trial& trial);

    bool empty() const { return m_points.empty(); }
    /// At most `most` points: where there are more, neighbours are taken together by their mean rate, lowest p25,
    /// highest p75, p99 and noise, and middle p50, so that no spike is lost.
    std::vector<LivePoint> drawn(std::size_t most = kMostPoints) const;

private:
    std::vector<LivePoint> m_points;
};

} // namespace lapbench
