#pragma once

#include "ui/bridge/session_event.h"
#include "ui/models/shown_target.h"

#include <QAbstractListModel>

#include <vector>

namespace lapbench {

enum class TrialState { waiting, running, done, failed, skipped, interrupted };

/// One trial of the session as the queue shows it.
struct QueuedTrial {
    ShownTarget target;
    QString workload;
    Level level;
    unsigned round = 1;
    TrialState state = TrialState::waiting;
    std::optional<double> rps; ///< once it has ended
    QString failure;
    unsigned attempt = 1;    ///< of its round
    bool superseded = false; ///< its round was run again: it does not count
    QString doubt = {};      ///< why it says nothing about its server; empty where it does
};

/// Every trial of the session in running order, with its state. Owned by the live page; GUI thread.
class TrialQueueModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        TargetIndexRole = Qt::UserRole + 1, ///< int, for the colour
        StateRole,                          ///< TrialState as int
        DetailRole,                         ///< "256 · round 2"
        FigureRole,                         ///< "18.1k req/s", or the state in a word
        SupersededRole                      ///< bool: it does not count
    };

    using QAbstractListModel::QAbstractListModel;

    void reset(std::vector<QueuedTrial> trials);
    /// A trial beyond the known ones is added; what the event says replaces what was planned.
    void start(const TrialStarted& event, const ShownTarget& target);
    void finish(const TrialFinished& event);
    /// A round that was not planned, or another attempt at one: its trials are put in from place `first` on.
    void insert(std::size_t first, std::vector<QueuedTrial> trials);
    bool has(unsigned round, unsigned attempt) const;
    /// Which attempts at a round count, by the places of their trials; of an attempt that goes on it is open.
    void markSuperseded(const std::vector<Trial>& trials);
    /// The session is over: a trial that still runs was interrupted.
    void close();
    /// It has ended by itself: what still waits is not going to run.
    void dropWaiting();

    int runningRow() const; ///< -1 where none runs
    std::size_t finished() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void changed(std::size_t row);
    QString stateText(const QueuedTrial& trial) const;
    QVariant toolTip(const QueuedTrial& trial) const;

    std::vector<QueuedTrial> m_trials;
};

} // namespace lapbench
