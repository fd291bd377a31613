#pragma once

#include <QString>
#include <QWidget>

#include <optional>

namespace lapbench {

/// One figure of the present: its name, the value in large type, what it is measured against, and a thin bar that fills
/// with it. GUI thread.
class Gauge : public QWidget {
    Q_OBJECT

public:
    Gauge(const QString& name, QWidget* parent = nullptr);

    /// `detail` stands below; `share` 0..1 fills the bar, absent leaves the gauge without one.
    void setFigure(const QString& value, const QString& detail, std::optional<double> share = std::nullopt);
    /// Marks the figure as something to look at.
    void setAlarming(bool alarming);

    QString value() const { return m_value; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont valueFont() const;
    QFont smallFont() const;

    QString m_name, m_value, m_detail;
    std::optional<double> m_share;
    bool m_alarming = false;
};

} // namespace lapbench
