#include "ui/models/shown_target.h"

#include <QCoreApplication>

#include <algorithm>

namespace lapbench {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("ShownTarget", text);
}

QString runtimeOf(const Target& target, const Plan& plan)
{
    if (target.builtin)
        return translated(QT_TRANSLATE_NOOP("ShownTarget", "built-in server"));
    if (!target.url.empty())
        return QString::fromStdString(target.url);
    if (!target.command.empty())
        return QString::fromStdString(target.command.front());
    const auto found = std::find_if(plan.runtimes.begin(), plan.runtimes.end(),
                                    [&](const RuntimeAsk& runtime) { return runtime.name == target.runtime; });
    return found == plan.runtimes.end() ? QString() : runtimeText(*found);
}

} // namespace

QString runtimeText(const RuntimeAsk& runtime)
{
    QString name;
    switch (runtime.kind) {
    case RuntimeKind::node:
        name = QStringLiteral("Node.js");
        break;
    case RuntimeKind::deno:
        name = QStringLiteral("Deno");
        break;
    case RuntimeKind::bun:
        name = QStringLiteral("Bun");
        break;
    case RuntimeKind::program:
        return QString::fromStdString(runtime.command.empty() ? runtime.name : runtime.command);
    }
    if (runtime.version.empty())
        return translated(QT_TRANSLATE_NOOP("ShownTarget", "%1 from PATH")).arg(name);
    return name + QLatin1Char(' ') + QString::fromStdString(runtime.version);
}

std::vector<ShownTarget> shownTargets(const Plan& plan)
{
    std::vector<ShownTarget> targets;
    for (const Target& target : plan.targets)
        targets.push_back({QString::fromStdString(target.name), QString::fromStdString(target.shownName()),
                           runtimeOf(target, plan), static_cast<int>(targets.size())});
    return targets;
}

} // namespace lapbench
