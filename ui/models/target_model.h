#pragma once

#include "ui/models/shown_target.h"

#include <QAbstractListModel>

#include <vector>

namespace lapbench {

/// The targets of the opened plan, each with a check box: which of them run. Owned by the main window; GUI thread.
class TargetModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        TargetIndexRole = Qt::UserRole + 1, ///< int, for the colour
        RuntimeRole                         ///< "Node.js 22.9.0"
    };

    using QAbstractListModel::QAbstractListModel;

    /// `checked` has one entry a target.
    void reset(std::vector<ShownTarget> targets, std::vector<bool> checked);

    const std::vector<ShownTarget>& targets() const { return m_targets; }
    std::vector<ShownTarget> checkedTargets() const;
    /// While false (a session runs) nothing can be checked or unchecked.
    void setEditable(bool editable);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<ShownTarget> m_targets;
    std::vector<bool> m_checked;
    bool m_editable = true;
};

} // namespace lapbench
