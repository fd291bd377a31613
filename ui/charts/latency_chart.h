#pragma once

#include "ui/charts/chart_panel.h"
#include "ui/models/live_series.h"

#include <QAreaSeries>

#include <vector>

namespace lapbench {

/// Latency of one trial over time: p50 and p99 as lines, p25 to p75 as a band. The value axis is logarithmic while p99
/// stands more than ten times above p50.
class LatencyChart : public ChartPanel {
    Q_OBJECT

public:
    explicit LatencyChart(QWidget* parent = nullptr);

    /// `until`: seconds the window is planned to last; 0 where it is not known. `doubt`: "not ranked: generator", which
    /// dashes the lines and hatches the band; empty where the trial may be ranked.
    void setCurve(const std::vector<LivePoint>& points, int targetIndex, double until, const QString& doubt = {});
    void clear() { setCurve({}, 0, 0); }

    bool isLogarithmic() const { return values().isLogarithmic(); }

protected:
    void applyPalette() override;

private:
    void place(QLineSeries* line, std::optional<double> LivePoint::*figure, double unit);
    QString figuresText() const;

    QLineSeries *m_p25, *m_p50, *m_p75, *m_p99;
    QAreaSeries* m_band;
    std::vector<LivePoint> m_points;
    int m_targetIndex = 0;
    QString m_doubt;
};

} // namespace lapbench
