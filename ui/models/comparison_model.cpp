#include "ui/models/comparison_model.h"

#include "core/result/attempts.h"

#include <algorithm>
#include <map>

namespace lapbench {

namespace {

/// How a column reads its cell figure, and at which percentile it would be thin.
struct Source {
    int column;
    const char* key;
    bool latency = false;
    double percentile = 0; ///< 0: none
};

constexpr Source kSources[] = {
    {ComparisonModel::Rate, "rps"},
    {ComparisonModel::P25, "p25_us", true, 0.25},
    {ComparisonModel::P50, "p50_us", true, 0.5},
    {ComparisonModel::P75, "p75_us", true, 0.75},
    {ComparisonModel::P99, "p99_us", true, 0.99},
    {ComparisonModel::Max, "max_us", true},
    {ComparisonModel::Cpu, "cpu_cores_mean"},
    {ComparisonModel::Memory, "rss_bytes_peak"},
    {ComparisonModel::StartUp, "startup_ms"},
    {ComparisonModel::Failed, "failed"},
    {ComparisonModel::WarmUp, "warmup_to_95_s"},
    {ComparisonModel::Efficiency, "requests_per_cpu_second"},
    {ComparisonModel::MemoryPerRate, "rss_bytes_per_1000_rps"},
    {ComparisonModel::IdleMemory, "rss_bytes_idle"},
    {ComparisonModel::PeakMemory, "rss_bytes_peak"},
    {ComparisonModel::SettledMemory, "rss_bytes_settled"},
};

const Source* sourceOf(int column)
{
    const auto found = std::find_if(std::begin(kSources), std::end(kSources),
                                    [column](const Source& source) { return source.column == column; });
    return found == std::end(kSources) ? nullptr : found;
}

std::optional<double> coldStartFigure(const ColdStarts* starts, int column)
{
    if (!starts)
        return std::nullopt;
    if (column == ComparisonModel::ColdStartCount)
        return static_cast<double>(starts->ms.size());
    return column == ComparisonModel::ColdStartMedian ? starts->medianMs : starts->p95Ms;
}

} // namespace

bool ComparisonModel::isLatency(int column)
{
    const Source* source = sourceOf(column);
    return source && source->latency;
}

void ComparisonModel::reset(const std::vector<ShownTarget>& targets, const std::vector<QString>& workloads,
                            const std::vector<Level>& levels, RoundSpan rounds)
{
    beginResetModel();
    m_rows.clear();
    m_trials.clear();
    m_comparisons.clear();
    m_coldStarts.clear();
    for (const QString& workload : workloads) {
        for (const Level& level : levels) {
            for (const ShownTarget& target : targets)
                m_rows.push_back(Row{target, workload, level, -1, 0, 0, {}, {}, {}, 0});
        }
    }
    m_rounds = rounds;
    noteKinds();
    recompute();
    endResetModel();
}

void ComparisonModel::noteKinds()
{
    m_firstTarget = m_rows.empty() ? QString() : m_rows.front().target.label;
    const auto differs = [this](const auto& same) {
        return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return !same(row, m_rows.front()); });
    };
    m_severalWorkloads = differs([](const Row& a, const Row& b) { return a.workload == b.workload; });
    m_severalLevels = differs([](const Row& a, const Row& b) { return a.level == b.level; });
}

void ComparisonModel::addRowsOf(const std::vector<Cell>& cells, const std::vector<ShownTarget>& targets)
{
    if (m_rows.empty())
        m_rounds = {}; // nobody said how many there were to be
    for (const Cell& cell : cells) {
        const QString name = QString::fromStdString(cell.target), workload = QString::fromStdString(cell.workload);
        if (std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
                return row.target.name == name && row.workload == workload && row.level == cell.level;
            }))
            continue;
        const auto shown = std::find_if(targets.begin(), targets.end(),
                                        [&](const ShownTarget& target) { return target.name == name; });
        const ShownTarget target = shown == targets.end() ? ShownTarget{name, name, {}, 0} : *shown;
        m_rows.push_back(Row{target, workload, cell.level, -1, 0, 0, {}, {}, {}, 0});
    }
    noteKinds();
}

void ComparisonModel::addTrial(const Trial& trial)
{
    m_trials.push_back(trial);
    markSuperseded(m_trials);
    recompute();
    allChanged();
}

void ComparisonModel::setComparisons(std::vector<Comparison> comparisons)
{
    m_comparisons = std::move(comparisons);
    allChanged();
}

void ComparisonModel::setRounds(RoundSpan rounds)
{
    m_rounds = rounds;
    allChanged();
}

void ComparisonModel::setColdStarts(std::vector<ColdStarts> all)
{
    m_coldStarts = std::move(all);
    allChanged();
}

void ComparisonModel::setResult(const SessionResult& result, const std::vector<ShownTarget>& targets)
{
    beginResetModel();
    addRowsOf(makeCells(result.trials, targetsOf(result.planJson)), targets);
    m_trials = result.trials;
    m_comparisons = result.comparisons;
    m_coldStarts = result.coldStarts;
    recompute();
    endResetModel();
}

void ComparisonModel::allChanged()
{
    if (m_rows.empty())
        return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

const Comparison* ComparisonModel::comparison(const Row& row, const char* metric) const
{
    const auto found = std::find_if(m_comparisons.begin(), m_comparisons.end(), [&](const Comparison& each) {
        return each.metric == metric && each.level == row.level && each.b == row.target.name.toStdString() &&
               each.workload == row.workload.toStdString();
    });
    return found == m_comparisons.end() ? nullptr : &*found;
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
        row.limits = {};
        row.steadiness.clear();
        row.neverSteady = 0;
    }
    std::map<Row*, std::vector<const Trial*>> trialsOf;
    for (const Trial& trial : m_trials) {
        Row* row = findRow(trial);
        if (!row)
            continue;
        trialsOf[row].push_back(&trial);
        if (trial.outcome == Outcome::done && !trial.superseded) {
            const std::uint64_t samples = trial.load.latency.count;
            row->samples = row->ended == 0 ? samples : std::min(row->samples, samples);
            ++row->ended;
            if (trial.load.steady) {
                row->steadiness << steadinessText(trial);
                row->neverSteady += trial.load.steady->afterSeconds ? 0 : 1;
            }
        }
        if (trial.failure)
            row->failure = QString::fromStdString(trial.failure->phase + ": " + trial.failure->message);
    }
    for (const auto& [row, trials] : trialsOf)
        row->limits = limitsOf(trials);
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
        return row.level.connections > 0 ? std::optional<double>(row.level.connections) : std::nullopt;
    if (column == Ratio)
        return row.cell < 0 ? std::nullopt : m_cells[static_cast<std::size_t>(row.cell)].rpsRatio;
    if (column >= ColdStartCount)
        return coldStartFigure(coldStarts(row), column);
    const CellFigure* found = figure(row, column);
    return found ? found->median : std::nullopt;
}

const ColdStarts* ComparisonModel::coldStarts(const Row& row) const
{
    const auto found = std::find_if(m_coldStarts.begin(), m_coldStarts.end(), [&](const ColdStarts& starts) {
        return starts.target == row.target.name.toStdString();
    });
    return found == m_coldStarts.end() ? nullptr : &*found;
}

bool ComparisonModel::looksForSteady() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.steadiness.isEmpty(); });
}

bool ComparisonModel::isThinIn(const Row& row, int column) const
{
    if (column == Verdict || column == Ratio) {
        const Comparison* found = comparison(row, "rps");
        return found && (found->figures.thin || !found->rankable);
    }
    if (column == WarmUp || column == Steady)
        return row.neverSteady > 0;
    const Source* source = sourceOf(column);
    if (!source || source->percentile == 0)
        return false;
    return row.ended > 0 && isThin(row.samples, source->percentile);
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
            Qt::Alignment((isWords(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case TargetIndexRole:
        return row.target.index;
    case NotRankedRole:
        return !row.limits.obstacle.isEmpty();
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

} // namespace lapbench
