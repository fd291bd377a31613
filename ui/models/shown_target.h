#pragma once

#include "core/plan/plan.h"

#include <QString>

#include <vector>

namespace lapbench {

/// A target as the tables, lists and charts show it; `index` picks its colour, the same everywhere.
struct ShownTarget {
    QString name;    ///< as in the plan and in trials
    QString label;   ///< for people
    QString runtime; ///< "Node.js 22.9.0", "built-in server", a URL; empty where there is none
    int index = 0;
};

/// Every target of a plan, in its order.
std::vector<ShownTarget> shownTargets(const Plan& plan);

/// "Node.js 22.9.0": a runtime with its version, "from PATH" where the plan asks for none.
QString runtimeText(const RuntimeAsk& runtime);

} // namespace lapbench
