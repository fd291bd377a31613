#include "ui/models/article_charts.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lapbench {

namespace {

/// Different names may be the same as parts of file names.
void makeIdsUnique(std::vector<ArticleChart>& charts)
{
    std::set<QString> taken;
    for (ArticleChart& chart : charts) {
        QString id = chart.id;
        for (int number = 2; !taken.insert(id).second; ++number)
            id = QStringLiteral("%1-%2").arg(chart.id).arg(number);
        chart.id = id;
    }
}

} // namespace

std::vector<ArticleChart> articleCharts(const SessionResult& result)
{
    const ArticleSession session(result);
    std::vector<ArticleChart> charts;
    for (const auto family : {barCharts, startupCharts, boxCharts, percentileCharts, timeCharts, efficiencyCharts}) {
        std::vector<ArticleChart> own = family(session);
        charts.insert(charts.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    }
    makeIdsUnique(charts);
    for (ArticleChart& chart : charts)
        describe(chart);
    return charts;
}

} // namespace lapbench
