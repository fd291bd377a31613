#include "core/session/session.h"

#include "core/base/atomic_file.h"
#include "core/base/processors.h"
#include "core/base/units.h"
#include "core/host/affinity.h"
#include "core/plan/schedule.h"
#include "core/result/attempts.h"
#include "core/result/comparisons.h"
#include "core/result/plateau.h"
#include "core/result/result_json.h"
#include "core/session/affinity_warnings.h"
#include "core/session/condition_warnings.h"
#include "core/session/fair_work.h"
#include "core/session/session_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// "the widest interval is +/- 3.10 %".
std::string widestText(std::optional<double> widest)
{
    if (!widest)
        return "nothing is compared";
    return std::isfinite(*widest) ? "the widest interval is +/- " + formatShareRounded(*widest)
                                  : "a comparison has no interval yet";
}

} // namespace

Result<SessionEnd> SessionRun::run()
{
    if (auto prepared = prepare(); !prepared)
        return prepared.problem();
    const ThreadKeptOff serversProcessors(m_plan.affinity.server);
    m_observer.sessionStarted(m_trialsOfRound * m_rules.fewest, estimateSession(m_plan));
    for (Warning& warning : affinityWarnings(m_plan.affinity, readTopology()))
        warn(std::move(warning));
    readCeilings();
    auto ran = lookAtTargets();
    if (ran)
        ran = runRounds();
    m_keeper->stop();
    compare();
    lookBack();
    const auto saved = save();
    std::optional<Problem> unsaved;
    if (!saved || !ran)
        unsaved = saved ? ran.problem() : saved.problem();
    const bool interrupted =
        !m_ended || std::any_of(m_record.trials.begin(), m_record.trials.end(),
                                [](const Trial& trial) { return trial.outcome == Outcome::interrupted; });
    return SessionEnd{std::move(m_record), interrupted, std::move(unsaved)};
}

/// A round that an interrupted session had begun goes on whatever the budget says: half of it is worth nothing.
Result<void> SessionRun::runRounds()
{
    for (unsigned round = 1; !m_left; ++round) {
        if (!hasBegun(round, 1)) {
            const NextRound next = nextRound(m_rules, soFar(round - 1), m_record.comparisons);
            if (next != NextRound::begins) {
                tellWhyItEnds(next, round - 1);
                m_ended = true;
                return {};
            }
        }
        if (auto ran = runRound(round); !ran)
            return ran;
    }
    return {};
}

/// A round in which others used the machine is run again, as often as the plan and its budget allow.
Result<void> SessionRun::runRound(unsigned round)
{
    const std::size_t before = m_trialsRun;
    for (unsigned number = 1;; ++number) {
        if (auto ran = runAttempt(makeRound(m_plan, round, number, m_nextIndex)); !ran)
            return ran;
        if (m_left)
            return {};
        if (hasBegun(round, number + 1))
            continue;
        // An attempt that came to nothing is quiet, and does not count.
        const unsigned counting = countingAttempt(m_record.trials, round);
        const double noise = noiseOf(m_record.trials, round, counting).value_or(0);
        if (noise <= m_plan.noiseLimit)
            break;
        if (number > m_plan.noisyRepeats || !fitsBudget(m_rules, soFar(round))) {
            warn(noiseWarning(round, number, noise, false));
            break;
        }
        m_left = mustEnd();
        if (m_left)
            return {};
        warn(noiseWarning(round, number, noise, true));
    }
    compare();
    if (m_trialsRun > before)
        m_observer.roundFinished(round, m_record.trials, m_record.comparisons);
    return {};
}

Result<void> SessionRun::runAttempt(const Attempt& attempt)
{
    const std::int64_t begin = steadyNs();
    const std::size_t before = m_trialsRun;
    m_nextIndex = attempt.back().index + 1;
    for (std::size_t i = 0; i < attempt.size(); ++i) {
        const TrialPlan& planned = attempt[i];
        if (isDone(planned.index))
            continue;
        if (m_trialsRun > 0 && !mustEnd())
            cooldown();
        waitWhilePaused();
        m_left = mustEnd();
        if (m_left)
            return {};
        m_observer.trialStarted(planned, m_plan, remainingFrom(planned));
        const bool lastOfServer = i + 1 == attempt.size() || attempt[i + 1].target != planned.target;
        if (auto ran = runOne(planned, lastOfServer); !ran)
            return ran;
        ++m_trialsRun;
    }
    if (m_trialsRun - before == attempt.size())
        m_lastAttemptTook = Nanoseconds(steadyNs() - begin);
    return {};
}

bool SessionRun::hasBegun(unsigned round, unsigned attempt) const
{
    return std::any_of(m_record.trials.begin(), m_record.trials.end(),
                       [&](const Trial& trial) { return trial.round == round && trial.attempt == attempt; });
}

RoundsSoFar SessionRun::soFar(unsigned done) const
{
    return {done, elapsed(), m_lastAttemptTook.value_or(estimateRound(m_plan))};
}

Warning SessionRun::noiseWarning(unsigned round, unsigned attempt, double noise, bool repeated) const
{
    const std::string which = "round " + std::to_string(round);
    const std::string what =
        repeated ? " is run again (attempt " + std::to_string(attempt + 1) + "), as" : " counts although";
    return {repeated ? "round_repeated" : "round_noisy", repeated ? "info" : "warning",
            which + what + " other programs used the machine meanwhile",
            formatShareRounded(noise) + " of the seconds of a trial were noisy, at most " +
                formatShareRounded(m_plan.noiseLimit) + " may be"};
}

void SessionRun::tellWhyItEnds(NextRound end, unsigned done)
{
    const std::string after = "the session ended after " + formatCounted(done, "round");
    const auto widest = widestInterval(m_record.comparisons);
    if (end == NextRound::overBudget)
        warn({"budget_ended", "warning",
              after + ", as one more would exceed its budget of " + formatDuration(*m_rules.budget),
              widestText(widest)});
    if (end == NextRound::nothingToNarrow)
        warn({"nothing_compared", "warning",
              after + ", as no other target could be compared with the first one and more rounds would not change that",
              m_record.comparisons.empty() ? "no round was finished both by the first target and by another one"
                                           : m_record.comparisons.front().sentence});
    if (end == NextRound::allDone && m_rules.untilCi && widest.value_or(0) > *m_rules.untilCi)
        warn({"intervals_wide", "warning",
              after + ", the most its plan allows, before every interval was within +/- " +
                  formatShareRounded(*m_rules.untilCi),
              widestText(widest)});
}

void SessionRun::warn(Warning warning)
{
    const auto told = [&](const Warning& other) { return other.code == warning.code && other.text == warning.text; };
    if (std::any_of(m_record.warnings.begin(), m_record.warnings.end(), told))
        return;
    m_record.warnings.push_back(std::move(warning));
    m_headChanged = true;
    m_observer.warning(m_record.warnings.back());
}

Nanoseconds SessionRun::elapsed() const
{
    return m_elapsedBefore + Nanoseconds(steadyNs() - m_beganNs);
}

void SessionRun::compare()
{
    markSuperseded(m_record.trials);
    m_record.comparisons = makeComparisons(m_record.trials, comparisonRulesOf(m_record));
}

/// What all trials together and the machine's counters say against the figures.
void SessionRun::lookBack()
{
    m_record.conditionsAfter = readConditions();
    m_record.conditionsAfter->busiestProcesses = othersSoFar();
    for (Warning& warning : workWarnings(m_plan, m_record.trials))
        warn(std::move(warning));
    if (m_record.conditionsBefore)
        for (Warning& warning : conditionWarnings(*m_record.conditionsBefore, *m_record.conditionsAfter))
            warn(std::move(warning));
}

Result<void> SessionRun::save()
{
    std::stable_sort(m_record.trials.begin(), m_record.trials.end(),
                     [](const Trial& a, const Trial& b) { return a.index < b.index; });
    m_record.rankings = makeRankings(m_record.trials, comparisonRulesOf(m_record));
    m_record.cells = makeCells(m_record.trials, targetsOf(m_record.planJson));
    m_record.elapsedSeconds = std::chrono::duration<double>(elapsed()).count();
    for (Warning& warning : plateauWarnings(m_record))
        warn(std::move(warning));
    if (auto written = writeFileAtomically(m_options.result, formatResult(m_record)); !written) {
        Problem problem = written.problem();
        const fs::path journal = Journal::pathFor(m_options.result);
        std::error_code ignored;
        problem.cure = fs::exists(journal, ignored) ? "what was measured stands in " + journal.string()
                                                    : "its journal is gone too: the folder was removed or moved";
        return problem;
    }
    m_journal->discard();
    return {};
}

Result<SessionEnd> runSession(const Plan& plan, const SessionPlaces& places, const SessionOptions& options,
                              SessionControl& control, Observer& observer)
{
    return SessionRun(plan, places, options, control, observer).run();
}

} // namespace lapbench
