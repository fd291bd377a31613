#pragma once

#include <QStyledItemDelegate>

namespace lapbench {

/// Draws the dot of a target before its name: in the first column of the comparison table, and in the list of targets,
/// where the runtime stands quietly behind the label. Thin figures are grey, rows that are not ranked hatched. The
/// models' roles of the first two names are the same value.
class TargetDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A trial of the queue in two lines: state mark, dot, target; below, level and round, with the rate at the right.
class QueueDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace lapbench
