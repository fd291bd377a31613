#include "core/stats/rounds.h"
#include "ui/models/article_charts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lapbench {

namespace {

/// A line has no more points than this; seconds are taken together where there are more.
constexpr unsigned kMostPoints = 300;
/// How far p99 may stand above p50 on a linear axis.
constexpr double kLinearSpan = 10;

QString translated(const char* text)
{
    return QCoreApplication::translate("ArticleChart", text);
}

/// A few seconds of one trial, from `first` up to but without `end`.
struct Stretch {
    const Trial* trial = nullptr;
    unsigned first = 0, end = 0;

    std::vector<const TrialSecond*> seconds() const
    {
        std::vector<const TrialSecond*> found;
        for (const TrialSecond& second : trial->seconds) {
            if (second.load.t >= first && second.load.t < end)
                found.push_back(&second);
        }
        return found;
    }
};

using Pick = std::function<std::optional<double>(const Stretch&)>;

template <typename Figure>
std::optional<double> mean(const std::vector<const TrialSecond*>& seconds, Figure figure)
{
    double sum = 0;
    int known = 0;
    for (const TrialSecond* second : seconds) {
        if (const auto value = figure(*second)) {
            sum += static_cast<double>(*value);
            ++known;
        }
    }
    return known > 0 ? std::optional(sum / known) : std::nullopt;
}

/// A second that the window did not fill is no rate.
std::optional<double> rateOf(const Stretch& stretch)
{
    const double duration = stretch.trial->load.durationSeconds;
    return mean(stretch.seconds(), [duration](const TrialSecond& second) -> std::optional<std::uint64_t> {
        if (duration > 0 && second.load.t + 1 > duration + 1e-6)
            return std::nullopt;
        return second.load.ok;
    });
}

std::optional<double> percentileOf(const Stretch& stretch, double p)
{
    const auto seconds = stretch.seconds();
    std::optional<std::int64_t> ns;
    if (seconds.size() == 1) {
        ns = seconds.front()->load.latency.percentileNs(p);
    } else {
        Histogram together;
        for (const TrialSecond* second : seconds)
            together.add(second->load.latency);
        ns = together.percentileNs(p);
    }
    return ns ? std::optional(static_cast<double>(*ns) / 1000.0) : std::nullopt;
}

std::optional<double> coresOf(const Stretch& stretch)
{
    return mean(stretch.seconds(), [](const TrialSecond& second) { return second.serverCpuCores; });
}

std::optional<double> memoryOf(const Stretch& stretch)
{
    return mean(stretch.seconds(), [](const TrialSecond& second) { return second.serverRssBytes; });
}

unsigned secondsOf(const Trial& trial)
{
    return trial.seconds.empty() ? 0 : trial.seconds.back().load.t + 1;
}

/// The median over the rounds at each time, which is that of the end of the seconds.
ArticleSeries lineOf(const ArticleSession& session, const ArticlePlace& place, const ArticleTarget& target,
                     unsigned step, const Pick& pick)
{
    ArticleSeries series = ArticleSession::seriesOf(target);
    series.notRanked = session.notRanked(place, target);
    const std::vector<const Trial*> trials = session.trials(place, target);
    unsigned seconds = 0;
    for (const Trial* trial : trials)
        seconds = std::max(seconds, secondsOf(*trial));
    bool missing = false;
    for (unsigned first = 0; first < seconds; first += step) {
        std::vector<double> known;
        for (const Trial* trial : trials) {
            if (const auto value = pick({trial, first, first + step}))
                known.push_back(*value);
        }
        const auto middle = median(known);
        if (middle && missing && !series.points.empty())
            series.gaps.push_back(series.points.size());
        if (middle)
            series.points.emplace_back(std::min(first + step, seconds), *middle);
        missing = !middle;
    }
    return series;
}

unsigned stepFor(const ArticleSession& session, const ArticlePlace& place)
{
    unsigned seconds = 0;
    for (const ArticleTarget& target : session.targets()) {
        for (const Trial* trial : session.trials(place, target))
            seconds = std::max(seconds, secondsOf(*trial));
    }
    return std::max(1U, (seconds + kMostPoints - 1) / kMostPoints);
}

struct Figure {
    const char* id;
    const char* title;
    const char* axis;
    Pick pick;
    ArticleUnit (*unit)(double largest);
    const char* better;
    bool mayBeLogarithmic = false;
};

ArticleUnit plainUnit(double)
{
    return {};
}

std::vector<Figure> figures()
{
    constexpr const char* kLatency = QT_TRANSLATE_NOOP("ArticleChart", "Latency");
    constexpr const char* kHigher = QT_TRANSLATE_NOOP("ArticleChart", "higher is better");
    constexpr const char* kLower = QT_TRANSLATE_NOOP("ArticleChart", "lower is better");
    constexpr const char* kRate = QT_TRANSLATE_NOOP("ArticleChart", "Requests per second");
    return {
        {"rps-time", QT_TRANSLATE_NOOP("ArticleChart", "Requests per second over time"), kRate, rateOf, plainUnit,
         kHigher},
        {"p50-time", QT_TRANSLATE_NOOP("ArticleChart", "Median latency over time"), kLatency,
         [](const Stretch& stretch) { return percentileOf(stretch, 0.5); }, latencyAxisUnit, kLower, true},
        {"p99-time", QT_TRANSLATE_NOOP("ArticleChart", "99th percentile of latency over time"), kLatency,
         [](const Stretch& stretch) { return percentileOf(stretch, 0.99); }, latencyAxisUnit, kLower, true},
        {"cpu-time", QT_TRANSLATE_NOOP("ArticleChart", "CPU use of the server over time"),
         QT_TRANSLATE_NOOP("ArticleChart", "CPU (cores)"), coresOf, plainUnit, nullptr},
        {"memory-time", QT_TRANSLATE_NOOP("ArticleChart", "Memory of the server over time"),
         QT_TRANSLATE_NOOP("ArticleChart", "Resident memory"), memoryOf, bytesAxisUnit, kLower},
    };
}

QStringList timeNotes(const ArticleSession& session, const ArticlePlace& place, unsigned step)
{
    QStringList notes;
    const bool rounds =
        std::any_of(session.targets().begin(), session.targets().end(),
                    [&](const ArticleTarget& target) { return session.trials(place, target).size() > 1; });
    if (rounds)
        notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "Median over the rounds at each time."));
    if (step > 1)
        notes << translated(QT_TRANSLATE_NOOP("ArticleChart", "Each point is of %1 seconds.")).arg(step);
    return notes;
}

std::optional<ArticleChart> timeChart(const ArticleSession& session, const ArticleSheet& sheet, const Figure& figure)
{
    const ArticlePlace& place = sheet.places.front();
    const unsigned step = stepFor(session, place);
    ArticleChart chart =
        session.begin(ArticleChart::Kind::lines, QLatin1String(figure.id), translated(figure.title), sheet);
    double largest = 0, smallest = 0;
    for (const ArticleTarget& target : session.targets()) {
        ArticleSeries series = lineOf(session, place, target, step, figure.pick);
        for (const auto& [t, value] : series.points) {
            largest = std::max(largest, value);
            smallest = smallest > 0 && value > smallest ? smallest : value;
        }
        // A single point is no course.
        if (series.points.size() > 1)
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return std::nullopt;
    const ArticleUnit unit = figure.unit(largest);
    for (ArticleSeries& series : chart.series) {
        for (auto& point : series.points)
            point.second /= unit.size;
    }
    const bool logarithmic = figure.mayBeLogarithmic && smallest > 0 && largest > kLinearSpan * smallest;
    chart.x = {axisTitle(translated(QT_TRANSLATE_NOOP("ArticleChart", "Time in the window")), QStringLiteral("s")),
               QStringLiteral("s"), AxisScale::linear};
    chart.y = {axisTitle(translated(figure.axis), unit.symbol), unit.symbol,
               logarithmic ? AxisScale::logarithmic : AxisScale::linear};
    if (figure.better)
        chart.better = translated(figure.better);
    chart.notes = timeNotes(session, place, step) + chart.notes;
    return chart;
}

} // namespace

std::vector<ArticleChart> timeCharts(const ArticleSession& session)
{
    const std::vector<Figure> all = figures();
    std::vector<ArticleChart> charts;
    for (const ArticleSheet& sheet : session.singleSheets()) {
        for (const Figure& figure : all) {
            if (auto chart = timeChart(session, sheet, figure))
                charts.push_back(std::move(*chart));
        }
    }
    return charts;
}

} // namespace lapbench
