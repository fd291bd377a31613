#include "ui/models/comparison_model.h"
#include "ui/models/number_format.h"

#include <QStringList>

#include <algorithm>

// What the comparison table and that of the servers say: cells, headers, tool tips and sentences.

namespace lapbench {

namespace {

struct ServerColumn {
    int column;
    const char* name; ///< in two lines, so that the figures set the width
    const char* tip;
};

constexpr ServerColumn kServerColumns[] = {
    {ComparisonModel::WarmUp, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "95 % of the\nrate after s"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "Since the load began until its rate first reached 95 % of the window's")},
    {ComparisonModel::Steady, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Warm-up"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Whether the load became steady before the window opened")},
    {ComparisonModel::Efficiency, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Requests a\nCPU second"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "Right answers for each second of processor time of the server's process tree")},
    {ComparisonModel::MemoryPerRate, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "RSS MB for\n1,000 req/s"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "Mean resident memory for each 1,000 right answers a second; compare it at equal load only")},
    {ComparisonModel::IdleMemory, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Idle\nRSS MB"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "Resident memory when the server was ready, before its first load in a round")},
    {ComparisonModel::PeakMemory, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Peak\nRSS MB"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Peak resident memory of the server's process tree")},
    {ComparisonModel::SettledMemory, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Settled\nRSS MB"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Lowest resident memory after the server's last load in a round")},
    {ComparisonModel::ColdStartCount, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Cold\nstarts"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "Starts before the first round, one after the other and without load")},
    {ComparisonModel::ColdStartMedian, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Cold start\nmedian ms"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Median of the cold starts, each until the first right answer")},
    {ComparisonModel::ColdStartP95, QT_TRANSLATE_NOOP("lapbench::ComparisonModel", "Cold start\np95 ms"),
     QT_TRANSLATE_NOOP("lapbench::ComparisonModel",
                       "95th percentile of the cold starts; of fewer than 20 it is the slowest")},
};

const ServerColumn* serverColumn(int column)
{
    const auto found = std::find_if(std::begin(kServerColumns), std::end(kServerColumns),
                                    [column](const ServerColumn& each) { return each.column == column; });
    return found == std::end(kServerColumns) ? nullptr : found;
}

} // namespace

bool ComparisonModel::isWords(int column)
{
    return column <= Limit || column == Steady;
}

bool ComparisonModel::isMemory(int column)
{
    return column == Memory || (column >= MemoryPerRate && column <= SettledMemory);
}

QString ComparisonModel::steadinessText(const Trial& trial)
{
    const SteadyFigures& steady = *trial.load.steady;
    return steady.afterSeconds
               ? tr("Round %1: steady after %2 s").arg(QString::number(trial.round), figureText(steady.afterSeconds))
               : tr("Round %1: never steady in a warm-up of %2 s")
                     .arg(QString::number(trial.round), figureText(steady.warmupSeconds));
}

QString ComparisonModel::steadyText(const Row& row) const
{
    if (row.steadiness.isEmpty())
        return missingFigure();
    if (row.neverSteady == 0)
        return tr("steady");
    return row.neverSteady == row.steadiness.size()
               ? tr("never steady")
               : tr("never in %1 of %2").arg(row.neverSteady).arg(row.steadiness.size());
}

QString ComparisonModel::coldStartsToolTip(const Row& row) const
{
    const ColdStarts* starts = coldStarts(row);
    if (!starts)
        return {};
    QStringList lines, each;
    for (const double ms : starts->ms)
        each << figureText(ms);
    if (!each.isEmpty())
        lines << tr("In order: %1 ms").arg(each.join(QStringLiteral(", ")));
    if (!starts->failure.empty())
        lines << tr("Cold start %1 failed: %2")
                     .arg(QString::number(starts->ms.size() + 1), QString::fromStdString(starts->failure));
    return lines.join(QLatin1Char('\n'));
}

QString ComparisonModel::ownSentence(const Row& row) const
{
    if (!row.limits.obstacle.isEmpty())
        return tr("%1 is not ranked, being %2").arg(row.target.label, row.limits.obstacle);
    const Comparison* found = comparison(row, "rps");
    return found ? QString::fromStdString(found->sentence) : QString();
}

QString ComparisonModel::sentence(int row) const
{
    if (row >= 0 && row < rowCount()) {
        const Row& asked = m_rows[static_cast<std::size_t>(row)];
        const QString own = ownSentence(asked);
        if (!own.isEmpty() || asked.target.label != m_firstTarget || m_comparisons.empty())
            return own;
        return tr("%1 is what the others are compared with").arg(m_firstTarget);
    }
    QString doubt;
    for (const Row& each : m_rows) {
        const Comparison* found = comparison(each, "rps");
        if (found && found->rankable)
            return QString::fromStdString(found->sentence);
        if (doubt.isEmpty())
            doubt = ownSentence(each);
    }
    return doubt;
}

QString ComparisonModel::text(const Row& row, int column) const
{
    switch (column) {
    case Target:
        return row.target.label;
    case Workload:
        return row.workload;
    case Connections:
        return shortLevelText(row.level);
    case Rounds:
        if (m_rounds.most == 0)
            return QString::number(row.ended);
        return m_rounds.fewest < m_rounds.most
                   ? tr("%1 of %2–%3").arg(row.ended).arg(m_rounds.fewest).arg(m_rounds.most)
                   : tr("%1 of %2").arg(row.ended).arg(m_rounds.most);
    case Verdict: {
        if (!row.limits.obstacle.isEmpty())
            return notRankedText();
        const Comparison* found = comparison(row, "rps");
        return found ? verdictText(*found) : missingFigure();
    }
    case Limit:
        return row.limits.names.isEmpty() ? missingFigure() : row.limits.names;
    case Rate:
        return rateText(value(row, column));
    case Ratio: {
        const Comparison* found = comparison(row, "rps");
        return found && found->figures.rounds > 0 ? intervalText(found->figures) : ratioText(value(row, column));
    }
    case Efficiency:
        return rateText(value(row, column));
    case Steady:
        return steadyText(row);
    case Failed:
    case ColdStartCount:
        return countText(value(row, column));
    default:
        break;
    }
    if (isMemory(column)) {
        const auto bytes = value(row, column);
        return figureText(bytes ? std::optional(*bytes / 1e6) : std::nullopt);
    }
    if (!isLatency(column))
        return figureText(value(row, column));
    const CellFigure* found = figure(row, column);
    if (!found || !found->median)
        return missingFigure();
    const QString number = figureText(*found->median / latencyUnitFor(m_largestUs[column]).us);
    return found->atLeast ? QStringLiteral("≥ ") + number : number;
}

QString ComparisonModel::toolTip(const Row& row, int column) const
{
    if (column == Target) {
        QString tip =
            row.target.runtime.isEmpty() ? row.target.label : row.target.label + QLatin1Char('\n') + row.target.runtime;
        return row.failure.isEmpty() ? tip : tip + QLatin1Char('\n') + tr("Last failure: %1").arg(row.failure);
    }
    if (column == Limit)
        return row.limits.reasons;
    if (column == Verdict)
        return ownSentence(row);
    if (column == Ratio)
        return comparisonToolTip(row);
    if (column >= ColdStartCount)
        return coldStartsToolTip(row);
    QStringList lines;
    if (column == WarmUp || column == Steady)
        lines << row.steadiness;
    else if (isThinIn(row, column))
        lines << tr("Fewer than 20 answers lie beyond this percentile: a thin figure");
    if (const CellFigure* found = figure(row, column); found && found->rounds.size() >= 2) {
        QStringList rounds;
        for (const auto& round : found->rounds)
            rounds << (isLatency(column)      ? latencyText(round)
                       : isMemory(column)     ? bytesText(round)
                       : column == Efficiency ? rateText(round)
                                              : figureText(round));
        lines << tr("Median of the rounds: %1").arg(rounds.join(QStringLiteral(", ")));
    }
    const char* metric = column == P50 ? "p50" : column == P99 ? "p99" : nullptr;
    if (const Comparison* found = metric ? comparison(row, metric) : nullptr)
        lines << QString::fromStdString(found->sentence);
    return lines.join(QLatin1Char('\n'));
}

QString ComparisonModel::comparisonToolTip(const Row& row) const
{
    const Comparison* found = comparison(row, "rps");
    if (!found || found->figures.rounds == 0)
        return {};
    QStringList rounds;
    for (const auto& ratio : found->ratios)
        rounds << ratioText(ratio);
    QString tip = tr("%1 % interval. Ratios of the rounds: %2")
                      .arg(figureText(found->confidence * 100), rounds.join(QStringLiteral(", ")));
    if (found->figures.signFlipP)
        tip += QLatin1Char('\n') + tr("Sign-flip p %1; shown, never decides").arg(figureText(found->figures.signFlipP));
    return tip;
}

QVariant ComparisonModel::headerToolTip(int section) const
{
    switch (section) {
    case Connections:
        return tr("Open connections");
    case Rate:
        return tr("Right answers a second, median of the rounds");
    case Ratio:
        return tr("Requests per second as a ratio to the first target, %1, with its interval over the rounds")
            .arg(m_firstTarget);
    case Verdict:
        return tr("What may be said of the requests per second beside %1; thin: rests on fewer than 6 rounds")
            .arg(m_firstTarget);
    case Limit:
        return tr("What kept the target from more; limited by generator, client or errors it is not ranked");
    case Cpu:
        return tr("Mean processor use of the server's process tree, in cores");
    case Memory:
        return tr("Peak resident memory of the server's process tree");
    case StartUp:
        return tr("From the server's start to its first right answer");
    case Failed:
        return tr("Failed requests, median of the rounds");
    default:
        break;
    }
    const ServerColumn* found = serverColumn(section);
    return found ? QVariant(tr(found->tip)) : QVariant();
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isWords(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole)
        return headerToolTip(section);
    if (role != Qt::DisplayRole)
        return {};
    if (const ServerColumn* found = serverColumn(section))
        return tr(found->name);
    const auto withUnit = [this, section](const QString& name) {
        if (m_largestUs[section] <= 0)
            return name;
        return name + QLatin1Char('\n') + latencyUnitFor(m_largestUs[section]).symbol;
    };
    switch (section) {
    case Target:
        return tr("Target");
    case Workload:
        return tr("Workload");
    case Connections:
        return tr("Conn.");
    case Rate:
        return tr("req/s");
    case Ratio:
        return tr("vs first");
    case Verdict:
        return tr("Verdict");
    case Limit:
        return tr("Limit");
    case P25:
        return withUnit(QStringLiteral("p25"));
    case P50:
        return withUnit(QStringLiteral("p50"));
    case P75:
        return withUnit(QStringLiteral("p75"));
    case P99:
        return withUnit(QStringLiteral("p99"));
    case Max:
        return withUnit(tr("max"));
    case Cpu:
        return tr("CPU");
    case Memory:
        return tr("RSS\nMB");
    case StartUp:
        return tr("Start\nms");
    case Failed:
        return tr("Errors");
    default:
        return tr("Rounds");
    }
}

QString ComparisonModel::asText(const std::vector<int>& columns) const
{
    QStringList lines, header;
    for (const int column : columns)
        header << headerData(column, Qt::Horizontal).toString().replace(QLatin1Char('\n'), QLatin1Char(' '));
    lines << header.join(QLatin1Char('\t'));
    for (const Row& row : m_rows) {
        QStringList fields;
        for (const int column : columns)
            fields << text(row, column);
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lapbench
