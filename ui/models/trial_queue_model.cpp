#include "ui/models/trial_queue_model.h"

#include "ui/models/number_format.h"

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
    const QueuedTrial trial{target, event.workload, event.level, event.round, TrialState::running, {}, {}};
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
    changed(event.index);
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
        return trial.rps ? tr("%1 req/s").arg(rateText(trial.rps)) : tr("done");
    case TrialState::failed:
        return tr("failed");
    case TrialState::skipped:
        return tr("skipped");
    case TrialState::interrupted:
        break;
    }
    return tr("stopped");
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
        return trial.failure.isEmpty() ? QVariant() : QVariant(trial.failure);
    case Qt::AccessibleTextRole:
        return tr("%1, %2, round %3, %4")
            .arg(trial.target.label)
            .arg(levelText(trial.level))
            .arg(trial.round)
            .arg(trial.state == TrialState::waiting ? tr("waiting") : stateText(trial));
    case TargetIndexRole:
        return trial.target.index;
    case StateRole:
        return static_cast<int>(trial.state);
    case DetailRole:
        return tr("%1 · round %2").arg(shortLevelText(trial.level)).arg(trial.round);
    case FigureRole:
        return stateText(trial);
    default:
        return {};
    }
}

} // namespace lapbench
