#pragma once

#include "core/result/journal.h"
#include "core/server/busy_processes.h"
#include "core/session/calibration.h"
#include "core/session/round_planner.h"
#include "core/session/server_keeper.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// One execution of a plan, told in order: prepare, look at the targets, then round by round one server start a target
/// and its trials, the end. Lives on the stack of runSession. The story is in session.cpp, what leads to the first
/// round in session_begin.cpp, one trial in session_trial.cpp.
class SessionRun {
public:
    SessionRun(const Plan& plan, const SessionPlaces& places, const SessionOptions& options, SessionControl& control,
               Observer& observer)
        : m_plan(plan), m_places(places), m_options(options), m_control(control), m_observer(observer),
          m_rules(roundRulesOf(plan))
    {}

    Result<SessionEnd> run();

private:
    /// The trials of one attempt at a round, numbered on from those before.
    using Attempt = std::vector<TrialPlan>;

    Result<void> prepare();
    Result<void> openJournal();
    /// Whether the trials of a journal are those that this plan has in their places.
    bool arePlanned(const std::vector<Trial>& trials) const;
    void takeUp(SessionResult before);
    void readCeilings();
    Result<void> lookAtTargets();
    /// Who else was busy since this session began; nothing where it has only just begun.
    std::optional<std::vector<std::string>> othersSoFar() const;
    void startCold(const Target& target);
    std::vector<FairProbe> probe(const Target& target);

    Result<void> runRounds();
    Result<void> runRound(unsigned round);
    Result<void> runAttempt(const Attempt& attempt);
    bool hasBegun(unsigned round, unsigned attempt) const;
    RoundsSoFar soFar(unsigned done) const;
    /// What can be said of the trials so far; of attempts at one round, only the one that counts.
    void compare();
    Warning noiseWarning(unsigned round, unsigned attempt, double noise, bool repeated) const;
    void tellWhyItEnds(NextRound end, unsigned done);
    void lookBack();
    Result<void> save();

    Result<void> runOne(const TrialPlan& planned, bool lastOfServer);
    /// Makes sure that the server of this target and attempt is up; sets the trial's failure where it is not.
    bool ensureServer(const TrialPlan& planned, Trial& trial);
    void measure(const TrialPlan& planned, const std::string& url, Trial& trial);
    Result<void> finishTrial(Trial trial);
    /// Writes to the journal what is known of the record by now, where that has changed.
    Result<void> keepHead();
    Trial blank(const TrialPlan& planned) const;
    void cooldown();
    void waitWhilePaused();

    bool mustEnd() const { return m_control.stopping() || m_control.stoppingAfterTrial(); }
    bool isDone(std::size_t index) const;
    Nanoseconds elapsed() const;
    /// What one trial takes: as the plan says, or where it counts requests, as the last one took.
    Nanoseconds lengthOf() const;
    Nanoseconds remainingFrom(const TrialPlan& trial) const;
    /// A doubt of the session: told once, kept in the record.
    void warn(Warning warning);

    const Plan& m_plan;
    const SessionPlaces& m_places;
    const SessionOptions& m_options;
    SessionControl& m_control;
    Observer& m_observer;
    const RoundRules m_rules;

    std::optional<TargetCommands> m_commands;
    std::optional<ServerKeeper> m_keeper;
    std::optional<TrialPlan> m_serves; ///< of whose target and attempt the server is that is up
    std::optional<Calibration> m_calibration;
    MachineIdentity m_machine;
    ProcessSnapshot m_processesBefore;
    std::optional<Journal> m_journal;
    SessionResult m_record;

    std::int64_t m_beganNs = steadyNs();
    Nanoseconds m_elapsedBefore{};   ///< in the runs that this one resumes
    std::size_t m_trialsOfRound = 0; ///< of one attempt at it
    std::size_t m_nextIndex = 0;     ///< of the first trial of the next attempt
    std::size_t m_trialsRun = 0;     ///< by this run, not taken from the journal
    bool m_headChanged = false;      ///< the record knows more than the journal's head
    bool m_left = false;             ///< the user's end came before that of the rounds
    bool m_ended = false;            ///< there was no further round to run
    std::optional<Nanoseconds> m_lastTrialTook, m_lastAttemptTook;
};

} // namespace lapbench
