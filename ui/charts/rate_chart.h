#pragma once

#include "ui/charts/chart_panel.h"
#include "ui/models/live_series.h"

#include <QPen>

#include <vector>

namespace lapbench {

/// The rate of one trial over time, as the charts take it.
struct RateCurve {
    std::vector<LivePoint> points;
    int targetIndex = 0;
    QString label;
    QString doubt = {}; ///< "not ranked: generator", for a dashed curve; empty where it may be ranked
};

/// Requests per second: the running trial bold, finished ones faint behind it; dashed where they are not ranked.
class RateChart : public ChartPanel {
    Q_OBJECT

public:
    explicit RateChart(QWidget* parent = nullptr);

    /// `until`: seconds the window is planned to last; 0 where it is not known.
    void setCurrent(const RateCurve& current, double until);
    /// At most the kMostFinished last ones are drawn.
    void setFinished(std::vector<RateCurve> finished);
    void clear();
    /// What to do where there is nothing to show.
    void setInvitation(const QString& text);

    static constexpr std::size_t kMostFinished = 8;

protected:
    void applyPalette() override;

private:
    void draw();
    QPen currentPen() const;
    QString doubtsText() const;

    QLineSeries* m_line;
    std::vector<QLineSeries*> m_finishedLines;
    RateCurve m_current;
    std::vector<RateCurve> m_finished;
    double m_until = 0;
    QString m_invitation;
};

} // namespace lapbench
