#include "ui/models/comparison_model.h"

#include "ui/models/number_format.h"

#include <QStringList>

#include <algorithm>

namespace lapbench {

namespace {

/// How a column reads its cell figure, and at which percentile it would be thin.
struct Source {
    int column;
    const char* key;
    bool latency;
    double percentile; ///< 0: none
};

constexpr Source kSources[] = {
    {ComparisonModel::Rate, "rps", false, 0},           {ComparisonModel::P25, "p25_us", true, 0.25},
    {ComparisonModel::P50, "p50_us", true, 0.5},        {ComparisonModel::P75, "p75_us", true, 0.75},
    {ComparisonModel::P99, "p99_us", true, 0.99},       {ComparisonModel::Max, "max_us", true, 0},
    {ComparisonModel::Cpu, "cpu_cores_mean", false, 0}, {ComparisonModel::Memory, "rss_bytes_peak", false, 0},
    {ComparisonModel::StartUp, "startup_ms", false, 0}, {ComparisonModel::Failed, "failed", false, 0},
};

const Source* sourceOf(int column)
{
    const auto found = std::find_if(std::begin(kSources), std::end(kSources),
                                    [column](const Source& source) { return source.column == column; });
    return found == std::end(kSources) ? nullptr : found;
}

bool isLatency(int column)
{
    const Source* source = sourceOf(column);
    return source && source->latency;
}

} // namespace

void ComparisonModel::reset(const std::vector<ShownTarget>& targets, const std::vector<QString>& workloads,
                            const std::vector<Level>& levels, unsigned rounds)
{
    beginResetModel();
    m_rows.clear();
    m_trials.clear();
    for (const QString& workload : workloads) {
        for (const Level& level : levels) {
            for (const ShownTarget& target : targets)
                m_rows.push_back(Row{target, workload, level, -1, 0, 0, {}});
        }
    }
    m_rounds = rounds;
    m_firstTarget = targets.empty() ? QString() : targets.front().label;
    m_severalWorkloads = workloads.size() > 1;
    recompute();
    endResetModel();
}

void ComparisonModel::addTrial(const Trial& trial)
{
    m_trials.push_back(trial);
    recompute();
    if (m_rows.empty())
        return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void ComparisonModel::setTrials(const std::vector<Trial>& trials)
{
    beginResetModel();
    m_trials = trials;
    recompute();
    endResetModel();
}

ComparisonModel::Row* ComparisonModel::findRow(const Trial& trial)
{
    const QString target = QString::fromStdString(trial.target), workload = QString::fromStdString(trial.workload);
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
        return row.level == trial.level && row.target.name == target && row.workload == workload;
    });
    return found == m_rows.end() ? nullptr : &*found;
}

void ComparisonModel::recompute()
{
    m_cells = makeCells(m_trials);
    for (Row& row : m_rows) {
        row.cell = -1;
        row.ended = 0;
        row.samples = 0;
        row.failure.clear();
    }
    for (const Trial& trial : m_trials) {
        Row* row = findRow(trial);
        if (!row)
            continue;
        if (trial.outcome == Outcome::done) {
            const std::uint64_t samples = trial.load.latency.count;
            row->samples = row->ended == 0 ? samples : std::min(row->samples, samples);
            ++row->ended;
        }
        if (trial.failure)
            row->failure = QString::fromStdString(trial.failure->phase + ": " + trial.failure->message);
    }
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const Cell& cell = m_cells[i];
        for (Row& row : m_rows) {
            if (row.level == cell.level && row.target.name == QString::fromStdString(cell.target) &&
                row.workload == QString::fromStdString(cell.workload))
                row.cell = static_cast<int>(i);
        }
    }
    m_largestUs.fill(0);
    for (const Row& row : m_rows) {
        for (const Source& source : kSources) {
            if (source.latency)
                m_largestUs[source.column] =
                    std::max(m_largestUs[source.column], value(row, source.column).value_or(0));
        }
    }
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const CellFigure* ComparisonModel::figure(const Row& row, int column) const
{
    const Source* source = sourceOf(column);
    if (row.cell < 0 || !source)
        return nullptr;
    const Cell& cell = m_cells[static_cast<std::size_t>(row.cell)];
    const auto found = cell.figures.find(source->key);
    return found == cell.figures.end() ? nullptr : &found->second;
}

std::optional<double> ComparisonModel::value(const Row& row, int column) const
{
    if (column == Connections)
        return row.level.connections;
    if (column == Ratio)
        return row.cell < 0 ? std::nullopt : m_cells[static_cast<std::size_t>(row.cell)].rpsRatio;
    const CellFigure* found = figure(row, column);
    return found ? found->median : std::nullopt;
}

bool ComparisonModel::isThinIn(const Row& row, int column) const
{
    const Source* source = sourceOf(column);
    if (!source || source->percentile == 0)
        return false;
    return row.ended > 0 && isThin(row.samples, source->percentile);
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
        return tr("%1 of %2").arg(row.ended).arg(m_rounds);
    case Rate:
        return rateText(value(row, column));
    case Ratio:
        return ratioText(value(row, column));
    case Failed:
        return countText(value(row, column));
    case Memory: {
        const auto bytes = value(row, column);
        return figureText(bytes ? std::optional(*bytes / 1e6) : std::nullopt);
    }
    default:
        break;
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
    if (isThinIn(row, column))
        return tr("Fewer than 20 answers lie beyond this percentile: a thin figure");
    const CellFigure* found = figure(row, column);
    if (!found || found->rounds.size() < 2)
        return {};
    QStringList rounds;
    for (const auto& round : found->rounds) {
        if (isLatency(column))
            rounds << latencyText(round);
        else if (column == Memory)
            rounds << bytesText(round);
        else
            rounds << figureText(round);
    }
    return tr("Median of the rounds: %1").arg(rounds.join(QStringLiteral(", ")));
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole: {
        const QString tip = toolTip(row, index.column());
        return tip.isEmpty() ? QVariant() : QVariant(tip);
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((index.column() <= Workload ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case TargetIndexRole:
        return row.target.index;
    case ThinRole:
        return isThinIn(row, index.column());
    case ValueRole: {
        const auto number = value(row, index.column());
        return number ? QVariant(*number) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ComparisonModel::headerToolTip(int section) const
{
    switch (section) {
    case Connections:
        return tr("Open connections");
    case Rate:
        return tr("Right answers a second, median of the rounds");
    case Ratio:
        return tr("Requests per second as a ratio to the first target, %1").arg(m_firstTarget);
    case Cpu:
        return tr("Mean processor use of the server's process tree");
    case Memory:
        return tr("Peak resident memory of the server's process tree");
    case StartUp:
        return tr("From the server's start to its first right answer");
    case Failed:
        return tr("Failed requests, median of the rounds");
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section <= Workload ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole)
        return headerToolTip(section);
    if (role != Qt::DisplayRole)
        return {};
    const auto withUnit = [this, section](const QString& name) {
        if (m_largestUs[section] <= 0)
            return name;
        return name + QLatin1Char(' ') + latencyUnitFor(m_largestUs[section]).symbol;
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
        return tr("CPU cores");
    case Memory:
        return tr("RSS MB");
    case StartUp:
        return tr("Start ms");
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
        header << headerData(column, Qt::Horizontal).toString();
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
