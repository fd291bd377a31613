#include "ui/charts/article_frame.h"
#include "ui/models/number_format.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kGap = 8;
constexpr double kThickest = 96;
constexpr double kThickestLying = 68;
/// Sizes of values on bars that are tried, largest first.
constexpr int kValueSizes[] = {16, 15, 14, 13, 12, 11};

/// Bars or boxes of one chart: of several categories they stand in groups, of one they lie, each with its name.
class BarDrawing {
public:
    BarDrawing(const ArticleCanvas& canvas, const ArticleChart& chart);
    void draw();

private:
    struct Slot {
        double from = 0, to = 0; ///< across the values
        double space = 0;        ///< to its neighbours' half
        const ArticleSeries* series = nullptr;
        const ArticleValue* value = nullptr;
    };

    void place(const QRectF& box);
    void placeSlots();
    void drawBar(const Slot& slot) const;
    void drawBox(const Slot& slot) const;
    void drawWhisker(const Slot& slot, double from, double to, bool atTo) const;
    void drawNames(const QRectF& box) const;
    bool findValueFont();
    void drawValue(const Slot& slot) const;
    QString valueText(const ArticleValue& value) const;
    QRectF rectOf(const Slot& slot, double from, double to) const;
    double along(double value) const { return m_lying ? m_plot.xOf(value) : m_plot.yOf(value); }
    double namesWidth(const QRectF& box) const;
    bool namesFit(double width) const;

    const ArticleCanvas& m_canvas;
    const ArticleChart& m_chart;
    bool m_lying;
    ChartAxis m_axis;
    ArticlePlot m_plot;
    std::vector<Slot> m_slots;
    QFont m_valueFont, m_nameFont;
};

BarDrawing::BarDrawing(const ArticleCanvas& canvas, const ArticleChart& chart)
    : m_canvas(canvas), m_chart(chart), m_lying(chart.categories.size() <= 1), m_valueFont(canvas.smallFont()),
      m_nameFont(canvas.textFont())
{
    double largest = 0, smallest = 0;
    for (const ArticleSeries& series : chart.series) {
        for (const ArticleValue& value : series.values) {
            for (const auto& figure : {value.value, value.low, value.high, value.quartile1, value.quartile3}) {
                if (!figure || !std::isfinite(*figure))
                    continue;
                largest = std::max(largest, *figure);
                if (*figure > 0)
                    smallest = smallest > 0 ? std::min(smallest, *figure) : *figure;
            }
        }
    }
    m_axis = chart.y.scale == AxisScale::logarithmic ? ChartAxis::logarithmic(smallest, largest)
                                                     : ChartAxis::linear(largest, 6);
}

QString BarDrawing::valueText(const ArticleValue& value) const
{
    return value.value ? articleValueText(*value.value, m_chart.y.unit, value.atLeast) : missingFigure();
}

double BarDrawing::namesWidth(const QRectF& box) const
{
    double widest = 0;
    for (const ArticleSeries& series : m_chart.series)
        widest = std::max(widest, textWidth(series.label, m_canvas.textFont()) + 1);
    return std::min(widest, box.width() * 0.34);
}

/// Axes and the plot within them. Of lying bars the value axis is x, with room for values at the right.
void BarDrawing::place(const QRectF& box)
{
    static const ChartAxis kNone = ChartAxis::none();
    ArticleChart plain = m_chart;
    plain.x.title.clear(); // stands below the categories
    if (m_lying) {
        double values = 0;
        for (const ArticleSeries& series : m_chart.series) {
            for (const ArticleValue& value : series.values)
                values = std::max(values, textWidth(valueText(value), m_canvas.textFont()));
        }
        const double names = namesWidth(box) + kGap;
        m_plot = drawArticleAxes(m_canvas, plain, box, m_axis, kNone, names, values + 2 * kGap);
        return;
    }
    // Below the plot stand the categories, in one or two lines, as large as they all fit.
    double widestTick = 0;
    for (const auto& tick : m_axis.ticks())
        widestTick = std::max(widestTick, textWidth(tick.second, m_canvas.smallFont()) + 1 + kGap);
    const double group = (box.width() - widestTick) / static_cast<double>(m_chart.categories.size()) - 4;
    m_nameFont = m_canvas.textFont();
    for (const int size : kValueSizes) {
        if (namesFit(group))
            break;
        m_nameFont.setPixelSize(size);
    }
    const bool two = std::any_of(m_chart.categories.begin(), m_chart.categories.end(), [&](const QString& category) {
        return wrapped(category, m_nameFont, group, 2).size() > 1;
    });
    const double title = m_chart.x.title.isEmpty() ? 0 : lineHeight(m_canvas.smallFont());
    const double below = (two ? 2 : 1) * lineHeight(m_nameFont) + title + kGap;
    m_plot = drawArticleAxes(m_canvas, plain, box.adjusted(0, 0, 0, -below), kNone, m_axis, 0, 0);
}

/// Whether no name of a category has to be shortened.
bool BarDrawing::namesFit(double width) const
{
    return std::all_of(m_chart.categories.begin(), m_chart.categories.end(), [&](const QString& category) {
        const QStringList lines = wrapped(category, m_nameFont, width, 2);
        qsizetype shown = 0;
        for (const QString& line : lines)
            shown += line.count(QChar(0x2026));
        return shown == category.count(QChar(0x2026));
    });
}

void BarDrawing::placeSlots()
{
    const auto groups = static_cast<std::size_t>(std::max<qsizetype>(1, m_chart.categories.size()));
    const QRectF area = m_plot.area;
    const double length = m_lying ? area.height() : area.width();
    const double group = length / static_cast<double>(groups);
    const auto bars = static_cast<double>(std::max<std::size_t>(1, m_chart.series.size()));
    const double padding = groups > 1 ? std::min(28.0, group * 0.08) : 0;
    const double slot = std::min((group - 2 * padding) / bars, m_lying ? kThickestLying * 1.4 : kThickest);
    const double first = (m_lying ? area.top() : area.left()) + (group - slot * bars) / 2;
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t s = 0; s < m_chart.series.size(); ++s) {
            const ArticleSeries& series = m_chart.series[s];
            if (g >= series.values.size())
                continue;
            const double from = first + static_cast<double>(g) * group + static_cast<double>(s) * slot;
            const double space = std::min(m_lying ? slot * 0.14 : 2.0, slot * 0.14);
            m_slots.push_back({from + space, from + slot - space, space, &series, &series.values[g]});
        }
    }
}

QRectF BarDrawing::rectOf(const Slot& slot, double from, double to) const
{
    const QRectF rect = m_lying ? QRectF(QPointF(from, slot.from), QPointF(to, slot.to))
                                : QRectF(QPointF(slot.from, from), QPointF(slot.to, to));
    return rect.normalized();
}

/// A line along the values, with a cap at its end or at both.
void BarDrawing::drawWhisker(const Slot& slot, double from, double to, bool atTo) const
{
    QPainter& painter = m_canvas.painter();
    const double middle = (slot.from + slot.to) / 2;
    const double half = std::min(9.0, (slot.to - slot.from) * 0.3);
    const auto point = [this](double across, double value) {
        return m_lying ? QPointF(value, across) : QPointF(across, value);
    };
    const bool box = m_chart.kind == ArticleChart::Kind::boxes;
    painter.setPen(QPen(box ? m_canvas.quiet() : m_canvas.ink(), 1.75, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(point(middle, from), point(middle, to));
    painter.drawLine(point(middle - half, to), point(middle + half, to));
    if (!atTo)
        painter.drawLine(point(middle - half, from), point(middle + half, from));
}

void BarDrawing::drawBar(const Slot& slot) const
{
    const ArticleValue& value = *slot.value;
    if (!value.value)
        return;
    const double zero = m_lying ? m_plot.area.left() : m_plot.area.bottom();
    fillArticleBar(m_canvas, rectOf(slot, zero, along(*value.value)), slot.series->colour, !value.notRanked.isEmpty());
    if (value.low && value.high)
        drawWhisker(slot, along(*value.low), along(*value.high), false);
}

void BarDrawing::drawBox(const Slot& slot) const
{
    const ArticleValue& box = *slot.value;
    if (!box.value || !box.quartile1 || !box.quartile3)
        return;
    if (box.low)
        drawWhisker(slot, along(*box.quartile1), along(*box.low), true);
    if (box.high)
        drawWhisker(slot, along(*box.quartile3), along(*box.high), true);
    fillArticleBar(m_canvas, rectOf(slot, along(*box.quartile1), along(*box.quartile3)), slot.series->colour,
                   !box.notRanked.isEmpty());
    const double at = along(*box.value);
    m_canvas.painter().setPen(QPen(m_canvas.ink(), 2.5, Qt::SolidLine, Qt::FlatCap));
    m_canvas.painter().drawLine(m_lying ? QPointF(at, slot.from) : QPointF(slot.from, at),
                                m_lying ? QPointF(at, slot.to) : QPointF(slot.to, at));
}

/// The largest size at which every value fits beside its neighbours; false where none does.
bool BarDrawing::findValueFont()
{
    if (m_lying) {
        m_valueFont = m_canvas.textFont();
        for (const int size : kValueSizes) {
            if (m_slots.empty() || lineHeight(m_valueFont) <= (m_slots.front().to - m_slots.front().from) * 1.3)
                return true;
            m_valueFont.setPixelSize(size);
        }
        return true;
    }
    for (const int size : kValueSizes) {
        m_valueFont.setPixelSize(size);
        const bool fits = std::all_of(m_slots.begin(), m_slots.end(), [this](const Slot& slot) {
            return textWidth(valueText(*slot.value), m_valueFont) + 2 <= slot.to - slot.from + 2 * slot.space;
        });
        if (fits)
            return true;
    }
    return false;
}

void BarDrawing::drawValue(const Slot& slot) const
{
    const ArticleValue& value = *slot.value;
    const QString text = valueText(value);
    const QFont& font = value.value ? m_valueFont : m_canvas.textFont();
    const double height = lineHeight(font), width = textWidth(text, font) + 1;
    const double middle = (slot.from + slot.to) / 2;
    double end = m_lying ? m_plot.area.left() : m_plot.area.bottom();
    for (const auto& figure : {value.value, value.high, value.low, value.quartile3}) {
        if (figure)
            end = m_lying ? std::max(end, along(*figure)) : std::min(end, along(*figure));
    }
    const QRectF box = m_lying ? QRectF(end + kGap, middle - height / 2, width, height)
                               : QRectF(middle - width / 2, end - height - 1, width, height);
    m_canvas.write(box, Qt::AlignHCenter, text, font, value.value ? m_canvas.ink() : m_canvas.quiet());
}

/// Names of lying bars at the left, of groups below.
void BarDrawing::drawNames(const QRectF& box) const
{
    if (m_lying) {
        const double width = namesWidth(box);
        for (const Slot& slot : m_slots) {
            const double height = lineHeight(m_valueFont);
            m_canvas.write(QRectF(box.left(), (slot.from + slot.to - height) / 2, width, height), Qt::AlignRight,
                           slot.series->label, m_valueFont, m_canvas.ink());
        }
        return;
    }
    const double height = lineHeight(m_canvas.smallFont());
    m_canvas.write(QRectF(m_plot.area.left(), box.bottom() - height, m_plot.area.width(), height), Qt::AlignHCenter,
                   m_chart.x.title, m_canvas.smallFont(), m_canvas.quiet());
    const double group = m_plot.area.width() / static_cast<double>(m_chart.categories.size());
    for (qsizetype i = 0; i < m_chart.categories.size(); ++i) {
        QRectF line(m_plot.area.left() + static_cast<double>(i) * group + 2, m_plot.area.bottom() + kGap / 2, group - 4,
                    lineHeight(m_nameFont));
        for (const QString& text : wrapped(m_chart.categories.at(i), m_nameFont, line.width(), 2)) {
            m_canvas.write(line, Qt::AlignHCenter, text, m_nameFont, m_canvas.ink());
            line.moveTop(line.bottom());
        }
    }
}

void BarDrawing::draw()
{
    const QRectF box = drawArticleFrame(m_canvas, m_chart, !m_lying);
    place(box);
    placeSlots();
    for (const Slot& slot : m_slots) {
        if (m_chart.kind == ArticleChart::Kind::boxes)
            drawBox(slot);
        else
            drawBar(slot);
    }
    const bool values = findValueFont();
    drawNames(box);
    for (const Slot& slot : m_slots) {
        // What is not known is said in any case.
        if (values || !slot.value->value)
            drawValue(slot);
    }
    m_canvas.painter().setPen(QPen(m_canvas.quiet(), 1));
    if (m_lying)
        m_canvas.painter().drawLine(m_plot.area.topLeft(), m_plot.area.bottomLeft());
    else
        m_canvas.painter().drawLine(m_plot.area.bottomLeft(), m_plot.area.bottomRight());
}

} // namespace

void drawArticleBars(const ArticleCanvas& canvas, const ArticleChart& chart)
{
    BarDrawing(canvas, chart).draw();
}

} // namespace lapbench
