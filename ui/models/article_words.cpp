#include "ui/models/article_session.h"
#include "ui/models/number_format.h"
#include "ui/models/verdict_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

// The words around a chart: title, subtitle and notes.

namespace lapbench {

namespace {

/// So many are named in a note before it counts the others.
constexpr int kMostNamed = 4;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

QString separator()
{
    return QStringLiteral(" · ");
}

QString nameOfKind(const std::string& kind)
{
    if (kind == "node")
        return QStringLiteral("Node.js");
    if (kind == "deno")
        return QStringLiteral("Deno");
    if (kind == "bun")
        return QStringLiteral("Bun");
    return {};
}

QString secondsText(double seconds)
{
    if (seconds >= 120)
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 min")).arg(figureText(seconds / 60));
    return translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 s")).arg(QString::number(std::round(seconds * 10) / 10));
}

/// "6 s", "1.00M requests": what all trials have in common; empty where they have neither.
QString extentText(const std::vector<const Trial*>& trials)
{
    const auto duration = [](const Trial* trial) { return trial->load.durationSeconds; };
    const auto [shortest, longest] = std::minmax_element(
        trials.begin(), trials.end(), [&](const Trial* a, const Trial* b) { return duration(a) < duration(b); });
    if (duration(*shortest) > 0 && duration(*longest) <= duration(*shortest) * 1.02)
        return secondsText(duration(*longest));
    const std::uint64_t requests = trials.front()->load.completed();
    const bool same = std::all_of(trials.begin(), trials.end(),
                                  [&](const Trial* trial) { return trial->load.completed() == requests; });
    return same && requests > 0 ? translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 requests"))
                                      .arg(rateText(static_cast<double>(requests)))
                                : QString();
}

QString doubtNote(ArticleChart::Kind kind)
{
    switch (kind) {
    case ArticleChart::Kind::lines:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Dashed: not ranked, %1."));
    case ArticleChart::Kind::points:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Hollow: not ranked, %1."));
    default:
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "Hatched: not ranked, %1."));
    }
}

/// A label short enough to be one of several in a sentence.
QString inSentence(const QString& label)
{
    constexpr qsizetype kLongest = 36;
    return label.size() <= kLongest ? label
                                    : label.left(kLongest / 2) + QStringLiteral("…") + label.right(kLongest / 2);
}

/// "Bun at 10 connections, 50 connections": where a target is not ranked; its label alone where that is everywhere.
QString targetAt(const QString& label, const QStringList& places, bool everywhere)
{
    if (everywhere)
        return label;
    QStringList named = places.mid(0, kMostNamed);
    if (places.size() > kMostNamed)
        named << QStringLiteral("…");
    return translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 at %2")).arg(label, named.join(QStringLiteral(", ")));
}

QString countedRounds(std::size_t fewest, std::size_t most)
{
    if (fewest != most)
        return translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 to %2 rounds")).arg(fewest).arg(most);
    return most == 1 ? translated(QT_TRANSLATE_NOOP("ArticleChart", "1 round"))
                     : translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 rounds")).arg(most);
}

} // namespace

QString ArticleSession::notRanked(const ArticlePlace& place, const ArticleTarget& target) const
{
    for (const Trial* trial : trials(place, target)) {
        if (trial->bottleneck && !trial->bottleneck->rankable)
            return translated(QT_TRANSLATE_NOOP("ArticleChart", "limited by %1"))
                .arg(limitText(trial->bottleneck->limit));
    }
    return {};
}

QString ArticleSession::runtimesText() const
{
    QStringList texts;
    const auto add = [&](const std::string& name, const UsedRuntime& used) {
        const QString kind = nameOfKind(used.kind);
        const QString version = shownText(used.actual.empty() ? used.asked : used.actual);
        const QString text = QStringLiteral("%1 %2").arg(kind.isEmpty() ? shownText(name) : kind, version);
        if (!texts.contains(text.trimmed()))
            texts << text.trimmed();
    };
    for (const ArticleTarget& shown : m_targets) {
        const auto target = std::find_if(m_plan.targets.begin(), m_plan.targets.end(),
                                         [&](const Target& planned) { return planned.name == shown.name; });
        if (target == m_plan.targets.end())
            continue;
        const auto used = m_result.runtimes.find(target->runtime);
        if (used != m_result.runtimes.end())
            add(used->first, used->second);
    }
    return texts.join(QStringLiteral(", "));
}

QString ArticleSession::machineText() const
{
    const QString model = shownText(m_result.host.cpuModel).simplified();
    if (model.isEmpty())
        return {};
    return m_result.host.cpus ? QStringLiteral("%1 × %2").arg(*m_result.host.cpus).arg(model) : model;
}

QStringList ArticleSession::toolsOf(const ArticleSheet& sheet) const
{
    QStringList tools;
    for (const ArticlePlace& place : sheet.places) {
        for (const ArticleTarget& target : m_targets) {
            for (const Trial* trial : trials(place, target))
                tools << (trial->imported ? shownText(trial->imported->semantics.tool) : QStringLiteral("Lapbench"));
        }
    }
    tools.removeDuplicates();
    return tools;
}

/// Of another tool's runs only where one of them tells it.
QString ArticleSession::dayText() const
{
    const bool known = std::any_of(m_result.trials.begin(), m_result.trials.end(),
                                   [](const Trial& trial) { return !trial.imported || trial.started != UtcTime{}; });
    return known && m_result.created != UtcTime{} ? QString::fromStdString(formatUtc(m_result.created)).left(10)
                                                  : QString();
}

QString ArticleSession::roundsText(const ArticleSheet& sheet) const
{
    std::vector<const Trial*> all;
    std::size_t fewest = 0, most = 0;
    for (const ArticlePlace& place : sheet.places) {
        for (const ArticleTarget& target : m_targets) {
            const std::vector<const Trial*> own = trials(place, target);
            if (own.empty())
                continue;
            fewest = fewest == 0 ? own.size() : std::min(fewest, own.size());
            most = std::max(most, own.size());
            all.insert(all.end(), own.begin(), own.end());
        }
    }
    if (all.empty())
        return {};
    const QString extent = extentText(all);
    const QString rounds = countedRounds(fewest, most);
    return extent.isEmpty() ? rounds : translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 of %2")).arg(rounds, extent);
}

QString ArticleSession::subtitle(const ArticleSheet& sheet) const
{
    QStringList parts{shownText(m_plan.title.empty() ? m_plan.name : m_plan.title).simplified(), runtimesText()};
    const Level& level = sheet.places.front().level;
    const auto all = [&](auto same) { return std::all_of(sheet.places.begin(), sheet.places.end(), same); };
    const bool oneLevel = all([&](const ArticlePlace& place) { return place.level == level; });
    const bool oneNumber = all([&](const ArticlePlace& place) { return place.level.connections == level.connections; });
    if (oneNumber && level.connections > 0)
        parts << levelText({level.connections, oneLevel ? level.rate : std::nullopt});
    parts << roundsText(sheet);
    const QStringList tools = toolsOf(sheet);
    if (tools != QStringList{QStringLiteral("Lapbench")})
        parts << translated(QT_TRANSLATE_NOOP("ArticleChart", "measured by %1")).arg(tools.join(QStringLiteral(", ")));
    parts << machineText();
    parts.removeAll(QString());
    return parts.join(separator());
}

QStringList ArticleSession::notesOn(ArticleChart::Kind kind, const ArticleSheet& sheet) const
{
    std::map<QString, QStringList> doubtful; // by why they are not ranked
    qsizetype named = 0;
    bool all = true;
    for (const ArticleTarget& target : m_targets) {
        std::map<QString, QStringList> places;
        qsizetype ran = 0;
        for (const ArticlePlace& place : sheet.places) {
            const QString why = notRanked(place, target);
            ran += trials(place, target).empty() ? 0 : 1;
            all &= trials(place, target).empty() || !why.isEmpty();
            if (!why.isEmpty())
                places[why] << place.label;
        }
        for (const auto& [why, at] : places) {
            doubtful[why] << targetAt(inSentence(target.label), at, at.size() == ran);
            ++named;
        }
    }
    QStringList reasons, notes;
    for (const auto& [why, targets] : doubtful) {
        QString names = targets.mid(0, kMostNamed).join(QStringLiteral(", "));
        if (targets.size() > kMostNamed)
            names = translated(QT_TRANSLATE_NOOP("ArticleChart", "%1 and %2 more"))
                        .arg(names, QString::number(targets.size() - kMostNamed));
        reasons << (all && doubtful.size() == 1 ? why : QStringLiteral("%1: %2").arg(why, names));
    }
    if (named > 0)
        notes << doubtNote(kind).arg(reasons.join(QStringLiteral("; ")));
    if (toolsOf(sheet).size() > 1)
        notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "Figures of different tools may not mean the same."));
    if (!m_result.complete)
        notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "The session did not end."));
    if (m_result.fairWork && m_result.fairWork->verdict() == "differs")
        notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "The targets did not answer the same: see the result."));
    return notes;
}

ArticleChart ArticleSession::begin(ArticleChart::Kind kind, const QString& id, const QString& title,
                                   const ArticleSheet& sheet) const
{
    ArticleChart chart;
    chart.kind = kind;
    chart.id = id + sheet.id;
    chart.title = sheet.name.isEmpty() ? title : QStringLiteral("%1: %2").arg(title, sheet.name);
    chart.subtitle = subtitle(sheet);
    chart.notes = notesOn(kind, sheet);
    const QString version = shownText(m_result.tool.version);
    chart.credit = version.isEmpty() ? QStringLiteral("Lapbench") : QStringLiteral("Lapbench %1").arg(version);
    if (const QString day = dayText(); !day.isEmpty())
        chart.credit += separator() + day;
    return chart;
}

ArticleSeries ArticleSession::seriesOf(const ArticleTarget& target)
{
    ArticleSeries series;
    series.label = target.label;
    series.colour = target.colour;
    return series;
}

} // namespace lapbench
