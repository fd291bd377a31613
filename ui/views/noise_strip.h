#pragma once

#include "ui/charts/chart_panel.h"
#include "ui/models/live_series.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lapbench {

/// How much of the machine others and the hypervisor took while a trial ran: a low bar a second on the time axis of the
/// chart above. Noisy seconds have a mark on top. GUI thread.
class NoiseStrip : public QWidget {
    Q_OBJECT

public:
    /// `above` has the time axis, is as wide, and outlives the strip.
    explicit NoiseStrip(const ChartPanel* above, QWidget* parent = nullptr);

    void setPoints(const std::vector<LivePoint>& points);
    /// "Noise: 2 of 30 seconds, at most 34 %".
    QString summary() const;
    /// What is known of the time at `x`, in pixels; empty where nothing is.
    QString textAt(int x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// A second; several of a long trial.
    struct Bar {
        double from = 0, until = 0; ///< seconds since the window opened
        double noise = 0;           ///< the largest share within
        bool isNoisy() const;
    };

    double placeOf(double t) const;

    const ChartPanel* m_above;
    std::vector<Bar> m_bars;
};

} // namespace lapbench
