#include "ui/views/target_delegate.h"

#include "ui/models/comparison_model.h"
#include "ui/models/target_model.h"
#include "ui/models/trial_queue_model.h"
#include "ui/style/target_colours.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>

namespace lapbench {

namespace {

constexpr int kDot = 10;
constexpr int kGap = 8;
constexpr int kRow = 28;

void drawDot(QPainter* painter, const QPointF& centre, const QColor& colour)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawEllipse(centre, kDot / 2.0, kDot / 2.0);
    painter->restore();
}

/// A shape for each state, so that nothing is said by colour alone.
void drawState(QPainter* painter, const QRectF& box, TrialState state, const QPalette& palette)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QPen pen(quietColour(palette), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    QPainterPath path;
    const auto at = [&box](double x, double y) { return box.topLeft() + QPointF(box.width() * x, box.height() * y); };
    const auto line = [&](std::initializer_list<QPointF> points) {
        path.moveTo(*points.begin());
        for (const QPointF& point : points)
            path.lineTo(point);
    };
    switch (state) {
    case TrialState::waiting:
        path.addEllipse(box.center(), 1.2, 1.2);
        break;
    case TrialState::running:
        pen.setColor(palette.color(QPalette::Highlight));
        line({at(0.3, 0.2), at(0.8, 0.5), at(0.3, 0.8), at(0.3, 0.2)});
        painter->setBrush(pen.color());
        break;
    case TrialState::done:
        pen.setColor(goodColour(palette));
        line({at(0.2, 0.55), at(0.42, 0.78), at(0.82, 0.25)});
        break;
    case TrialState::failed:
        pen.setColor(errorColour(palette));
        line({at(0.25, 0.25), at(0.75, 0.75)});
        line({at(0.75, 0.25), at(0.25, 0.75)});
        break;
    case TrialState::skipped:
        line({at(0.2, 0.5), at(0.8, 0.5)});
        break;
    case TrialState::interrupted:
        path.addRect(QRectF(at(0.28, 0.28), at(0.72, 0.72)));
        break;
    }
    painter->setPen(pen);
    painter->drawPath(path);
    painter->restore();
}

void drawBackground(QPainter* painter, const QStyleOptionViewItem& option)
{
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
}

QColor textColour(const QStyleOptionViewItem& option)
{
    const bool selected = option.state & QStyle::State_Selected;
    return option.palette.color(option.state & QStyle::State_Enabled ? QPalette::Active : QPalette::Disabled,
                                selected ? QPalette::HighlightedText : QPalette::Text);
}

} // namespace

void TargetDelegate::paint(QPainter* painter, const QStyleOptionViewItem& original, const QModelIndex& index) const
{
    QStyleOptionViewItem option = original;
    initStyleOption(&option, index);
    if (index.data(ComparisonModel::ThinRole).toBool() && index.column() > 0)
        option.palette.setColor(QPalette::Text, quietColour(option.palette));
    if (qobject_cast<const ComparisonModel*>(index.model()) && index.data(ComparisonModel::NotRankedRole).toBool())
        painter->fillRect(option.rect, QBrush(hairlineColour(option.palette), Qt::BDiagPattern));
    const bool hasDot = index.column() == 0;
    if (!hasDot) {
        const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        return;
    }
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    drawBackground(painter, option);
    QRect area = option.rect.adjusted(kGap / 2, 0, -kGap / 2, 0);
    if (option.features & QStyleOptionViewItem::HasCheckIndicator) {
        QStyleOptionViewItem check = option;
        check.rect = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, option.widget);
        check.state &= ~QStyle::State_HasFocus;
        check.state |= option.checkState == Qt::Checked ? QStyle::State_On : QStyle::State_Off;
        style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &check, painter, option.widget);
        area.setLeft(check.rect.right() + kGap);
    }
    drawDot(painter, QPointF(area.left() + kDot / 2.0 + 1, area.center().y() + 0.5),
            targetColour(index.data(ComparisonModel::TargetIndexRole).toInt(), option.palette));
    area.setLeft(area.left() + kDot + kGap);
    painter->save();
    painter->setFont(option.font);
    painter->setPen(textColour(option));
    const QString label = option.fontMetrics.elidedText(option.text, Qt::ElideMiddle, area.width());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, label);
    if (qobject_cast<const TargetModel*>(index.model())) {
        area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(label) + kGap);
        if (!(option.state & QStyle::State_Selected))
            painter->setPen(quietColour(option.palette));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data(TargetModel::RuntimeRole).toString(), Qt::ElideRight,
                                                        area.width()));
    }
    painter->restore();
}

QSize TargetDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == 0)
        size.rwidth() += kDot + 2 * kGap;
    size.setHeight(std::max(size.height(), kRow));
    return size;
}

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& original, const QModelIndex& index) const
{
    QStyleOptionViewItem option = original;
    initStyleOption(&option, index);
    drawBackground(painter, option);
    const auto state = static_cast<TrialState>(index.data(TrialQueueModel::StateRole).toInt());
    const QRect area = option.rect.adjusted(kGap, 0, -kGap, 0);
    drawState(painter, QRectF(area.left(), area.center().y() - 7, 14, 14), state, option.palette);
    drawDot(painter, QPointF(area.left() + 14 + kGap + kDot / 2.0, area.center().y() + 0.5),
            targetColour(index.data(TrialQueueModel::TargetIndexRole).toInt(), option.palette));

    painter->save();
    const bool waiting = state == TrialState::waiting;
    const bool selected = option.state & QStyle::State_Selected;
    QFont font = option.font;
    font.setBold(state == TrialState::running);
    painter->setFont(font);
    const QFontMetrics metrics(font);
    const int textLeft = area.left() + 14 + kDot + 2 * kGap;
    const int middle = area.center().y();
    const QRect upper(textLeft, middle - metrics.height(), area.right() - textLeft, metrics.height());
    const QRect lower(textLeft, middle + 1, area.right() - textLeft, metrics.height());
    painter->setPen(waiting && !selected ? quietColour(option.palette) : textColour(option));
    painter->drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(option.text, Qt::ElideMiddle, upper.width()));
    painter->setFont(option.font);
    if (!selected)
        painter->setPen(quietColour(option.palette));
    painter->drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, index.data(TrialQueueModel::DetailRole).toString());
    QFont figure = option.font;
    figure.setStrikeOut(index.data(TrialQueueModel::SupersededRole).toBool());
    painter->setFont(figure);
    painter->drawText(lower, Qt::AlignRight | Qt::AlignVCenter, index.data(TrialQueueModel::FigureRole).toString());
    painter->restore();
}

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, 2 * option.fontMetrics.height() + 8};
}

} // namespace lapbench
