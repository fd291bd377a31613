#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

#include <vector>

namespace lapbench::test {

struct DrawnText {
    QString text;
    QRectF box;
};

struct DrawnBar {
    QRectF box;
    QColor colour; ///< of its brush
};

struct Drawn {
    std::vector<DrawnText> texts;
    std::vector<DrawnBar> bars;
    std::vector<QLineF> lines;
    std::vector<QPointF> points; ///< of lines through several
};

/// Keeps what is drawn in place of drawing it.
class RecordingEngine : public QPaintEngine {
public:
    RecordingEngine() : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath&) override {}
    void updateState(const QPaintEngineState& now) override
    {
        if (now.state() & DirtyTransform)
            m_transform = now.transform();
        if (now.state() & DirtyBrush)
            m_brush = now.brush();
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        drawn.texts.push_back({item.text(), m_transform.mapRect(QRectF(at.x(), at.y() - item.ascent(), item.width(),
                                                                       item.ascent() + item.descent()))});
    }
    void drawRects(const QRectF* rects, int count) override
    {
        for (int i = 0; i < count && m_brush.style() == Qt::SolidPattern; ++i)
            drawn.bars.push_back({m_transform.mapRect(rects[i]), m_brush.color()});
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode) override
    {
        for (int i = 0; i < count; ++i)
            drawn.points.push_back(m_transform.map(points[i]));
    }
    void drawLines(const QLineF* straight, int count) override
    {
        for (int i = 0; i < count; ++i)
            drawn.lines.push_back(m_transform.map(straight[i]));
    }

    Drawn drawn;

private:
    QTransform m_transform;
    QBrush m_brush;
};

class RecordingDevice : public QPaintDevice {
public:
    explicit RecordingDevice(QSize size) : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const Drawn& drawn() const { return m_engine.drawn; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    QSize m_size;
    mutable RecordingEngine m_engine;
};

} // namespace lapbench::test
