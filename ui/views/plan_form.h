#pragma once

#include "core/plan/plan.h"
#include "ui/bridge/plan_choice.h"
#include "ui/models/target_model.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSpinBox>
#include <QWidget>

namespace lapbench {

/// What of the opened plan shall run: targets, levels, window, rounds and scale. Ranges and help come from the option
/// table. GUI thread.
class PlanForm : public QWidget {
    Q_OBJECT

public:
    explicit PlanForm(QWidget* parent = nullptr);

    void setPlan(const Plan& plan);
    /// The choice as it stands; everything that is wrong with it goes into `problems`.
    PlanChoice choice(Problems& problems) const;
    void setEditable(bool editable);

    const TargetModel& targets() const { return *m_targets; }

signals:
    void changed();

private:
    void showDefaultRounds();
    void showWindow();

    Plan m_plan;
    TargetModel* m_targets;
    QListView* m_targetList;
    QLineEdit* m_connections;
    QLineEdit* m_duration;
    QSpinBox* m_rounds;
    QDoubleSpinBox* m_scale;
    QLabel* m_scaled;
    bool m_roundsChosen = false;
};

} // namespace lapbench
