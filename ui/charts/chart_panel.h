#pragma once

#include "ui/charts/chart_axis.h"

#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QTextDocument>

namespace lapbench {

/// A chart as Lapbench draws one: a title on the left, the present figures on the right, hairline grid, colours from
/// the palette. The charts of this folder derive from it. GUI thread.
class ChartPanel : public QChartView {
    Q_OBJECT

public:
    explicit ChartPanel(QWidget* parent = nullptr);

    /// While live, lines are drawn without antialiasing: it costs most of a frame.
    void setLive(bool live);
    /// What the chart says in one sentence, for those who do not see it.
    QString summary() const { return m_summary; }
    const ChartAxis& times() const { return m_timeScale; }
    /// Where values stand, in pixels.
    QRectF plotArea() const { return m_chart->plotArea(); }

signals:
    void summaryChanged(const QString& summary);

protected:
    void setTitle(const QString& title, const QString& unit);
    /// Rich text at the right end of the title line.
    void setFigures(const QString& html);
    void setSummary(const QString& summary);
    void setAxes(const ChartAxis& time, const ChartAxis& values);
    /// Stands in the middle of a chart that has nothing to show; empty where it has.
    void setPlaceholder(const QString& text);
    /// Marks what lies before the window opened.
    void shadeBefore(double t);
    /// A line series on both axes; owned by the chart.
    QLineSeries* addLine();
    void attach(QAbstractSeries* series);
    const ChartAxis& values() const { return m_valueScale; }
    /// Points that may be drawn: finite and on the axes. One point alone becomes a short dash, so that it is seen.
    static QList<QPointF> drawable(QList<QPointF> points);

    /// Colours follow the palette; overridden to colour the series.
    virtual void applyPalette();
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void drawText(QPainter* painter, QTextDocument& text, const QPointF& at, const QColor& colour);
    void placePlot();
    void writeTitle();
    QFont smallFont() const;
    static void fill(QCategoryAxis* axis, const ChartAxis& scale);

    QChart* m_chart;
    QCategoryAxis* m_time;
    QCategoryAxis* m_values;
    QTextDocument m_title, m_figures;
    ChartAxis m_timeScale, m_valueScale;
    QString m_titleText, m_unit, m_summary, m_placeholder;
    double m_shadedBefore = 0;
};

} // namespace lapbench
