#include "ui/models/target_model.h"

namespace lapbench {

void TargetModel::reset(std::vector<ShownTarget> targets, std::vector<bool> checked)
{
    beginResetModel();
    m_targets = std::move(targets);
    m_checked = std::move(checked);
    m_checked.resize(m_targets.size(), true);
    endResetModel();
}

std::vector<ShownTarget> TargetModel::checkedTargets() const
{
    std::vector<ShownTarget> targets;
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        if (m_checked[i])
            targets.push_back(m_targets[i]);
    }
    return targets;
}

void TargetModel::setEditable(bool editable)
{
    if (editable == m_editable)
        return;
    m_editable = editable;
    if (!m_targets.empty())
        emit dataChanged(index(0), index(rowCount() - 1));
}

int TargetModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_targets.size());
}

QVariant TargetModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const ShownTarget& target = m_targets[row];
    switch (role) {
    case Qt::DisplayRole:
        return target.label;
    case Qt::CheckStateRole:
        return m_checked[row] ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return target.runtime.isEmpty() ? target.label : tr("%1, %2").arg(target.label, target.runtime);
    case TargetIndexRole:
        return target.index;
    case RuntimeRole:
        return target.runtime;
    default:
        return {};
    }
}

bool TargetModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !m_editable || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    m_checked[static_cast<std::size_t>(index.row())] = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    return true;
}

Qt::ItemFlags TargetModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (m_editable)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEnabled;
    return flags;
}

} // namespace lapbench
