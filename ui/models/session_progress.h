#pragma once

#include "ui/bridge/session_event.h"

#include <QString>

#include <algorithm>
#include <optional>

namespace lapbench {

/// How far a session is, from its events. Times are the caller's monotonic seconds, so that tests turn the clock.
class SessionProgress {
public:
    void begin(const SessionStarted& event, double now);
    void trialStarted(const TrialStarted& event, double now);
    void trialFinished(double now);
    void setPhase(const QString& phase) { m_phase = phase; }
    /// More trials than were planned: rounds that are added or run again.
    void growTo(std::size_t trials) { m_trials = std::max(m_trials, trials); }

    std::size_t trials() const { return m_trials; }
    std::size_t finished() const { return m_finished; }
    const QString& phase() const { return m_phase; }

    /// 0..1, of the trials known so far; backwards only where they become more.
    double fraction(double now) const;
    /// By the finished trials of this session, else by the runner's estimate; nothing where neither is there.
    std::optional<double> secondsLeft(double now) const;

private:
    std::optional<double> secondsPerTrial() const;

    std::size_t m_trials = 0, m_finished = 0;
    std::optional<double> m_estimate;
    double m_begun = 0, m_lastFinished = 0, m_trialBegun = 0;
    bool m_running = false;
    QString m_phase;
};

/// "measuring", for the phase names of the interface; the name itself where it is unknown.
QString phaseText(const QString& phase);
/// "about 6 min", "about 40 s", "a few seconds".
QString timeLeftText(double seconds);

} // namespace lapbench
