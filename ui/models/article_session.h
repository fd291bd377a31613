#pragma once

#include "core/result/session_result.h"
#include "ui/models/article_chart.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One workload at one level, as a category of a chart.
struct ArticlePlace {
    std::string workload;
    Level level;
    QString label; ///< "64 connections"; of several workloads at one level its workload
    QString mark;  ///< the same beside a point: "64"
};

/// The places that stand in one chart.
struct ArticleSheet {
    QString id;   ///< to end the id of a chart: "-user", "-user-64"; empty where there is only one sheet of its kind
    QString name; ///< of the workload where there are several, to end a title; else empty
    std::vector<ArticlePlace> places;
    QString axis; ///< what its labels are, where they do not say it: "Connections"; else empty
};

/// A target as the charts know it.
struct ArticleTarget {
    std::string name;
    QString label;
    int colour = 0; ///< its place in the plan, as everywhere
};

/// What all charts of one result share: targets, places, their cells and trials, and the words around a chart. Only
/// trials that ran to their end and were not superseded are in it, and not the control. Refers to the result, which
/// must outlive it.
class ArticleSession {
public:
    explicit ArticleSession(const SessionResult& result);

    const std::vector<ArticleTarget>& targets() const { return m_targets; }
    /// Those that ran at any of its places.
    std::vector<ArticleTarget> targets(const ArticleSheet& sheet) const;
    /// For one bar chart a measurement: all levels of a workload; all workloads where there is one level.
    const std::vector<ArticleSheet>& sheets() const { return m_sheets; }
    /// For charts of a single place: each by itself.
    std::vector<ArticleSheet> singleSheets() const;

    /// Of one target at one place, in the order of the rounds; empty where it has none.
    std::vector<const Trial*> trials(const ArticlePlace& place, const ArticleTarget& target) const;
    /// Null where it has no trial.
    const Cell* cell(const ArticlePlace& place, const ArticleTarget& target) const;
    /// A figure of that cell; null where it has none.
    const CellFigure* figure(const ArticlePlace& place, const ArticleTarget& target, std::string_view key) const;
    /// Why it is not ranked: "limited by generator"; empty where it may be.
    QString notRanked(const ArticlePlace& place, const ArticleTarget& target) const;
    const std::vector<ColdStarts>& coldStarts() const { return m_result.coldStarts; }

    /// A chart with everything but its series and axes: id and title with those of the sheet, subtitle, credit, and the
    /// notes on what is not ranked at its places.
    ArticleChart begin(ArticleChart::Kind kind, const QString& id, const QString& title,
                       const ArticleSheet& sheet) const;
    /// A series without values for that target.
    static ArticleSeries seriesOf(const ArticleTarget& target);

private:
    void findTargets();
    void findSheets();
    QString subtitle(const ArticleSheet& sheet) const;
    QString runtimesText() const;
    QString machineText() const;
    QStringList toolsOf(const ArticleSheet& sheet) const;
    QString dayText() const;
    QString roundsText(const ArticleSheet& sheet) const;
    QStringList notesOn(ArticleChart::Kind kind, const ArticleSheet& sheet) const;

    const SessionResult& m_result;
    Plan m_plan;
    std::vector<Cell> m_made; ///< where the result has none
    std::vector<const Cell*> m_cells;
    std::vector<ArticleTarget> m_targets;
    std::vector<std::string> m_workloads;
    std::vector<ArticleSheet> m_sheets;
};

/// What a result says, as one line that cannot leave its place: see withoutControls().
QString shownText(std::string_view text);

/// A text as part of a file name: letters, digits, "-" and "_"; at most 40.
QString fileNamePart(const QString& text);

/// The unit that suits an axis up to `largest`.
struct ArticleUnit {
    double size = 1; ///< of it in the unit of the result
    QString symbol;
};
ArticleUnit latencyAxisUnit(double largestUs);
ArticleUnit bytesAxisUnit(double largestBytes);

/// "Latency (ms)"; the title alone where there is no unit.
QString axisTitle(const QString& title, const QString& unit);

} // namespace lapbench
