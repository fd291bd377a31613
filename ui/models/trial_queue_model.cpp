#include "ui/models/trial_queue_model.h"

#include "ui/models/number_format.h"
#include "ui/models/verdict_text.h"

#include <QStringList>

#include <algorithm>

namespace lapbench {

namespace {

/// A runner that counts far past the plan is broken; its trials are not worth the memory.
constexpr std::size_t kMostTrials = 100'000;

TrialState stateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::done:
        return TrialState::done;
    case Outcome::failed:
        return TrialState::failed;
    case Outcome::skipped:
        return TrialState::skipped;
    case Outcome::interrupted:
        break;
    }
    return TrialState::interrupted;
}

} // namespace

void TrialQueueModel::reset(std::vector<QueuedTrial> trials)
{
    beginResetModel();
    m_trials = std::move(trials);
    endResetModel();
}

void TrialQueueModel::start(const TrialStarted& event, const ShownTarget& target)
{
    if (event.index >= kMostTrials)
        return;
    close(); // one runs at a time; of an earlier one the end was not heard
    const QueuedTrial trial{target, event.workload, event.level, event.round, TrialState::running, {},
                            {},     event.attempt};
    if (event.index < m_trials.size()) {
        m_trials[event.index] = trial;
        changed(event.index);
        return;
    }
    beginInsertRows({}, rowCount(), static_cast<int>(event.index));
    m_trials.resize(event.index);
    m_trials.push_back(trial);
    endInsertRows();
}

void TrialQueueModel::finish(const TrialFinished& event)
{
    if (event.index >= m_trials.size())
        return;
    QueuedTrial& trial = m_trials[event.index];
    trial.state = stateOf(event.trial.outcome);
    trial.rps = event.trial.load.rps;
    if (event.trial.failure)
        trial.failure = QString::fromStdString(event.trial.failure->message);
    trial.superseded = event.trial.superseded;
    if (const auto& bottleneck = event.trial.bottleneck; bottleneck && !bottleneck->rankable)
        trial.doubt = tr("%1. %2").arg(doubtOf(event.trial), QString::fromStdString(bottleneck->reason));
    changed(event.index);
}

void TrialQueueModel::insert(std::size_t first, std::vector<QueuedTrial> trials)
{
    first = std::min(first, m_trials.size());
    if (trials.empty() || m_trials.size() + trials.size() > kMostTrials)
        return;
    beginInsertRows({}, static_cast<int>(first), static_cast<int>(first + trials.size() - 1));
    m_trials.insert(m_trials.begin() + static_cast<std::ptrdiff_t>(first), trials.begin(), trials.end());
    endInsertRows();
}

bool TrialQueueModel::has(unsigned round, unsigned attempt) const
{
    return std::any_of(m_trials.begin(), m_trials.end(),
                       [&](const QueuedTrial& trial) { return trial.round == round && trial.attempt == attempt; });
}

void TrialQueueModel::markSuperseded(const std::vector<Trial>& trials)
{
    const auto isOpen = [this](unsigned round, unsigned attempt) {
        return std::any_of(m_trials.begin(), m_trials.end(), [&](const QueuedTrial& other) {
            return other.round == round && other.attempt == attempt &&
                   (other.state == TrialState::waiting || other.state == TrialState::running);
        });
    };
    for (const Trial& trial : trials) {
        if (trial.index >= m_trials.size())
            continue;
        QueuedTrial& queued = m_trials[trial.index];
        const bool superseded = trial.superseded && !isOpen(queued.round, queued.attempt);
        if (queued.superseded == superseded)
            continue;
        queued.superseded = superseded;
        changed(trial.index);
    }
}

void TrialQueueModel::close()
{
    for (std::size_t row = 0; row < m_trials.size(); ++row) {
        if (m_trials[row].state == TrialState::running) {
            m_trials[row].state = TrialState::interrupted;
            changed(row);
        }
    }
}

void TrialQueueModel::dropWaiting()
{
    const auto waits = [](const QueuedTrial& trial) { return trial.state == TrialState::waiting; };
    const auto last = std::find_if_not(m_trials.rbegin(), m_trials.rend(), waits);
    if (last == m_trials.rbegin())
        return;
    beginRemoveRows({}, static_cast<int>(last.base() - m_trials.begin()), rowCount() - 1);
    m_trials.erase(last.base(), m_trials.end());
    endRemoveRows();
}

int TrialQueueModel::runningRow() const
{
    const auto found = std::find_if(m_trials.begin(), m_trials.end(),
                                    [](const QueuedTrial& trial) { return trial.state == TrialState::running; });
    return found == m_trials.end() ? -1 : static_cast<int>(found - m_trials.begin());
}

std::size_t TrialQueueModel::finished() const
{
    return static_cast<std::size_t>(std::count_if(m_trials.begin(), m_trials.end(), [](const QueuedTrial& trial) {
        return trial.state != TrialState::waiting && trial.state != TrialState::running;
    }));
}

void TrialQueueModel::changed(std::size_t row)
{
    const QModelIndex at = index(static_cast<int>(row));
    emit dataChanged(at, at);
}

int TrialQueueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

QString TrialQueueModel::stateText(const QueuedTrial& trial) const
{
    switch (trial.state) {
    case TrialState::waiting:
        return {};
    case TrialState::running:
        return tr("running");
    case TrialState::done:
        if (!trial.rps)
            return tr("done");
        return (trial.doubt.isEmpty() ? QString() : QStringLiteral("⊘ ")) + tr("%1 req/s").arg(rateText(trial.rps));
    case TrialState::failed:
        return tr("failed");
    case TrialState::skipped:
        return tr("skipped");
    case TrialState::interrupted:
        break;
    }
    return tr("stopped");
}

QVariant TrialQueueModel::toolTip(const QueuedTrial& trial) const
{
    QStringList lines;
    if (trial.superseded)
        lines << tr("Does not count: the round was run again, for it was too noisy");
    for (const QString& line : {trial.failure, trial.doubt}) {
        if (!line.isEmpty())
            lines << line;
    }
    return lines.isEmpty() ? QVariant() : QVariant(lines.join(QLatin1Char('\n')));
}

QVariant TrialQueueModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QueuedTrial& trial = m_trials[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return trial.target.label;
    case Qt::ToolTipRole:
        return toolTip(trial);
    case Qt::AccessibleTextRole:
        return tr("%1, %2, round %3, %4")
            .arg(trial.target.label)
            .arg(levelText(trial.level))
            .arg(trial.round)
            .arg(trial.state == TrialState::waiting ? tr("waiting")
                 : trial.superseded                 ? tr("%1, does not count").arg(stateText(trial))
                                                    : stateText(trial));
    case TargetIndexRole:
        return trial.target.index;
    case StateRole:
        return static_cast<int>(trial.state);
    case DetailRole:
        return (trial.attempt > 1 ? tr("%1 · round %2 again") : tr("%1 · round %2"))
            .arg(shortLevelText(trial.level))
            .arg(trial.round);
    case SupersededRole:
        return trial.superseded;
    case FigureRole:
        return stateText(trial);
    default:
        return {};
    }
}

} // namespace lapbench
