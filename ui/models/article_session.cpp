#include "ui/models/article_session.h"

#include "core/base/shown_text.h"
#include "core/plan/plan_json.h"
#include "core/result/comparisons.h"
#include "ui/models/number_format.h"
#include "ui/models/shown_target.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace lapbench {

namespace {

constexpr int kLongestNamePart = 40;

bool counts(const Trial& trial)
{
    return trial.outcome == Outcome::done && !trial.superseded;
}

bool isAt(const ArticlePlace& place, const std::string& workload, const Level& level)
{
    return place.workload == workload && place.level == level;
}

QString levelId(const Level& level)
{
    QString id = QString::number(level.connections);
    if (level.rate)
        id += QLatin1Char('-') + QString::number(*level.rate);
    return id;
}

/// A level of no connections is one of which another tool did not tell them.
QString knownLevelText(const Level& level)
{
    if (level.connections > 0)
        return levelText(level);
    return level.rate ? rateText(*level.rate) + QStringLiteral("/s") : QString();
}

/// So many levels stand in a chart with their whole names.
constexpr std::size_t kMostNamed = 6;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

/// Names the places of one workload by what tells them apart.
void nameLevels(ArticleSheet& sheet)
{
    const unsigned connections = sheet.places.front().level.connections;
    bool byRate = true, anyRate = false;
    for (const ArticlePlace& place : sheet.places) {
        byRate &= place.level.rate && place.level.connections == connections;
        anyRate |= place.level.rate.has_value();
    }
    for (ArticlePlace& place : sheet.places) {
        if (place.level.connections == 0)
            continue;
        place.mark = byRate ? rateText(*place.level.rate) + QStringLiteral("/s") : shortLevelText(place.level);
        if (sheet.places.size() > kMostNamed || (byRate && sheet.places.size() > 1))
            place.label = place.mark;
    }
    if (sheet.places.size() == 1 || sheet.places.back().label != sheet.places.back().mark)
        return;
    if (byRate)
        sheet.axis = translated(QT_TRANSLATE_NOOP("ArticleChart", "Requests per second asked for"));
    else if (anyRate)
        sheet.axis = translated(QT_TRANSLATE_NOOP("ArticleChart", "Connections and rate asked for"));
    else
        sheet.axis = translated(QT_TRANSLATE_NOOP("ArticleChart", "Connections"));
}

bool isLower(const Level& a, const Level& b)
{
    return std::tuple(a.connections, a.rate.value_or(0)) < std::tuple(b.connections, b.rate.value_or(0));
}

} // namespace

ArticleSession::ArticleSession(const SessionResult& result)
    : m_result(result), m_plan(parsePlan(result.planJson, {}).plan)
{
    findTargets();
    if (result.cells.empty())
        m_made = makeCells(result.trials, targetsOf(result.planJson));
    for (const Cell& cell : result.cells.empty() ? m_made : result.cells)
        m_cells.push_back(&cell);
    findSheets();
}

void ArticleSession::findTargets()
{
    const ComparisonRules rules = comparisonRulesOf(m_result);
    const std::vector<ShownTarget> planned = shownTargets(m_plan);
    int next = static_cast<int>(planned.size());
    for (const std::string& name : rules.targets) {
        const auto found = std::find_if(planned.begin(), planned.end(), [&](const ShownTarget& target) {
            return target.name == QString::fromStdString(name);
        });
        const int colour = found == planned.end() ? next++ : found->index;
        const bool ran = std::any_of(m_result.trials.begin(), m_result.trials.end(),
                                     [&](const Trial& trial) { return trial.target == name && counts(trial); });
        if (ran)
            m_targets.push_back({name, shownText(labelOf(rules.labels, name)), colour});
    }
}

void ArticleSession::findSheets()
{
    std::vector<ArticlePlace> places;
    std::vector<Level> levels;
    for (const Trial& trial : m_result.trials) {
        const bool shown = counts(trial) && std::any_of(m_targets.begin(), m_targets.end(), [&](const auto& target) {
                               return target.name == trial.target;
                           });
        if (!shown)
            continue;
        if (std::find(m_workloads.begin(), m_workloads.end(), trial.workload) == m_workloads.end())
            m_workloads.push_back(trial.workload);
        if (std::find(levels.begin(), levels.end(), trial.level) == levels.end())
            levels.push_back(trial.level);
        if (std::none_of(places.begin(), places.end(),
                         [&](const ArticlePlace& place) { return isAt(place, trial.workload, trial.level); }))
            places.push_back({trial.workload, trial.level, knownLevelText(trial.level), knownLevelText(trial.level)});
    }
    if (places.empty())
        return;
    std::stable_sort(places.begin(), places.end(),
                     [](const ArticlePlace& a, const ArticlePlace& b) { return isLower(a.level, b.level); });
    if (levels.size() == 1) {
        for (ArticlePlace& place : places)
            place.label = place.mark = places.size() > 1 ? shownText(place.workload) : place.label;
        m_sheets.push_back({{}, {}, std::move(places), {}});
        return;
    }
    for (const std::string& workload : m_workloads) {
        const QString name = shownText(workload);
        const bool several = m_workloads.size() > 1;
        ArticleSheet sheet{
            several ? QLatin1Char('-') + fileNamePart(name) : QString(), several ? name : QString(), {}, {}};
        for (const ArticlePlace& place : places) {
            if (place.workload == workload)
                sheet.places.push_back(place);
        }
        nameLevels(sheet);
        m_sheets.push_back(std::move(sheet));
    }
}

std::vector<ArticleTarget> ArticleSession::targets(const ArticleSheet& sheet) const
{
    std::vector<ArticleTarget> ran;
    std::copy_if(m_targets.begin(), m_targets.end(), std::back_inserter(ran), [&](const ArticleTarget& target) {
        return std::any_of(sheet.places.begin(), sheet.places.end(),
                           [&](const ArticlePlace& place) { return !trials(place, target).empty(); });
    });
    return ran;
}

std::vector<ArticleSheet> ArticleSession::singleSheets() const
{
    std::vector<ArticleSheet> singles;
    for (const ArticleSheet& sheet : m_sheets) {
        for (ArticlePlace place : sheet.places) {
            const QString workload = shownText(place.workload);
            const QString id = QLatin1Char('-') + fileNamePart(workload) +
                               (place.level.connections > 0 ? QLatin1Char('-') + levelId(place.level) : QString());
            place.label = knownLevelText(place.level);
            singles.push_back({id, m_workloads.size() > 1 ? workload : QString(), {std::move(place)}, {}});
        }
    }
    return singles;
}

std::vector<const Trial*> ArticleSession::trials(const ArticlePlace& place, const ArticleTarget& target) const
{
    std::vector<const Trial*> found;
    for (const Trial& trial : m_result.trials) {
        if (counts(trial) && trial.target == target.name && isAt(place, trial.workload, trial.level))
            found.push_back(&trial);
    }
    std::stable_sort(found.begin(), found.end(), [](const Trial* a, const Trial* b) { return a->round < b->round; });
    return found;
}

const Cell* ArticleSession::cell(const ArticlePlace& place, const ArticleTarget& target) const
{
    const auto found = std::find_if(m_cells.begin(), m_cells.end(), [&](const Cell* cell) {
        return cell->target == target.name && isAt(place, cell->workload, cell->level);
    });
    return found == m_cells.end() ? nullptr : *found;
}

const CellFigure* ArticleSession::figure(const ArticlePlace& place, const ArticleTarget& target,
                                         std::string_view key) const
{
    const Cell* const own = cell(place, target);
    if (!own)
        return nullptr;
    const auto found = own->figures.find(std::string(key));
    return found == own->figures.end() || !found->second.median ? nullptr : &found->second;
}

QString shownText(std::string_view text)
{
    return QString::fromStdString(withoutControls(text)).simplified();
}

QString fileNamePart(const QString& text)
{
    QString part;
    for (const QChar c : text) {
        const bool plain = c.unicode() < 128 && (c.isLetterOrNumber() || c == QLatin1Char('_'));
        if (plain)
            part += c.toLower();
        else if (!part.isEmpty() && !part.endsWith(QLatin1Char('-')))
            part += QLatin1Char('-');
    }
    part.truncate(kLongestNamePart);
    while (part.endsWith(QLatin1Char('-')))
        part.chop(1);
    return part.isEmpty() ? QStringLiteral("x") : part;
}

ArticleUnit latencyAxisUnit(double largestUs)
{
    const LatencyUnit unit = latencyUnitFor(largestUs);
    return {unit.us, unit.symbol};
}

ArticleUnit bytesAxisUnit(double largestBytes)
{
    if (largestBytes >= 1e9)
        return {1e9, QStringLiteral("GB")};
    if (largestBytes >= 1e6)
        return {1e6, QStringLiteral("MB")};
    return {1e3, QStringLiteral("kB")};
}

QString axisTitle(const QString& title, const QString& unit)
{
    return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

} // namespace lapbench
