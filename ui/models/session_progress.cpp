#include "ui/models/session_progress.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("SessionProgress", text);
}

} // namespace

void SessionProgress::begin(const SessionStarted& event, double now)
{
    *this = SessionProgress();
    m_trials = event.trials;
    m_estimate = event.estimateSeconds;
    m_begun = m_lastFinished = now;
}

void SessionProgress::trialStarted(const TrialStarted& event, double now)
{
    m_trials = std::max(m_trials, event.index + 1);
    m_trialBegun = now;
    m_running = true;
    m_phase.clear();
}

void SessionProgress::trialFinished(double now)
{
    ++m_finished;
    m_trials = std::max(m_trials, m_finished);
    m_lastFinished = now;
    m_running = false;
}

std::optional<double> SessionProgress::secondsPerTrial() const
{
    if (m_finished > 0)
        return (m_lastFinished - m_begun) / static_cast<double>(m_finished);
    if (m_estimate && m_trials > 0)
        return *m_estimate / static_cast<double>(m_trials);
    return std::nullopt;
}

double SessionProgress::fraction(double now) const
{
    if (m_trials == 0)
        return 0;
    double trialsDone = static_cast<double>(m_finished);
    const auto each = secondsPerTrial();
    if (m_running && each && *each > 0)
        trialsDone += std::clamp((now - m_trialBegun) / *each, 0.0, 0.99);
    return std::clamp(trialsDone / static_cast<double>(m_trials), 0.0, 1.0);
}

std::optional<double> SessionProgress::secondsLeft(double now) const
{
    const auto each = secondsPerTrial();
    if (!each)
        return std::nullopt;
    const double open = static_cast<double>(m_trials - m_finished) * *each;
    return std::max(0.0, open - (now - m_lastFinished));
}

QString phaseText(const QString& phase)
{
    static const std::pair<const char*, const char*> known[] = {
        {"audit", QT_TRANSLATE_NOOP("SessionProgress", "comparing what the targets answer")},
        {"cold start", QT_TRANSLATE_NOOP("SessionProgress", "starting the server cold")},
        {"start", QT_TRANSLATE_NOOP("SessionProgress", "starting the server")},
        {"connect", QT_TRANSLATE_NOOP("SessionProgress", "connecting")},
        {"warmup", QT_TRANSLATE_NOOP("SessionProgress", "warming up")},
        {"measure", QT_TRANSLATE_NOOP("SessionProgress", "measuring")},
        {"finish", QT_TRANSLATE_NOOP("SessionProgress", "finishing")},
        {"stop", QT_TRANSLATE_NOOP("SessionProgress", "stopping the server")},
        {"cooldown", QT_TRANSLATE_NOOP("SessionProgress", "cooling down")},
    };
    for (const auto& [name, text] : known) {
        if (phase == QLatin1String(name))
            return translated(text);
    }
    return phase;
}

QString timeLeftText(double seconds)
{
    if (seconds < 5)
        return translated(QT_TRANSLATE_NOOP("SessionProgress", "a few seconds"));
    if (seconds < 90)
        return translated(QT_TRANSLATE_NOOP("SessionProgress", "about %1 s")).arg(std::ceil(seconds / 5) * 5);
    if (seconds < 5400)
        return translated(QT_TRANSLATE_NOOP("SessionProgress", "about %1 min")).arg(std::lround(seconds / 60));
    return translated(QT_TRANSLATE_NOOP("SessionProgress", "about %1 h")).arg(seconds / 3600, 0, 'f', 1);
}

} // namespace lapbench
