#include "app/cli/progress.h"
#include "core/base/units.h"
#include "core/plan/schedule.h"
#include "core/session/round_planner.h"

#include <algorithm>
#include <cstdio>

namespace lapbench {

namespace {

std::string labelOf(const Plan& plan, const std::string& name)
{
    for (const Target& target : plan.targets)
        if (target.name == name)
            return target.shownName();
    return name;
}

/// "round 3 of 6", "round 7 of at most 100, attempt 2".
std::string roundOf(const Plan& plan, unsigned round, unsigned attempt)
{
    const RoundRules rules = roundRulesOf(plan);
    std::string text = "round " + std::to_string(round) + " of ";
    text += (rules.fewest < rules.most ? "at most " : "") + std::to_string(rules.most);
    return attempt > 1 ? text + ", attempt " + std::to_string(attempt) : text;
}

std::string figuresOf(const Trial& trial)
{
    if (trial.outcome == Outcome::failed)
        return "failed" + (trial.failure ? ": " + trial.failure->message : std::string());
    if (trial.outcome == Outcome::skipped)
        return "skipped";
    std::string text = trial.load.rps ? formatRate(*trial.load.rps) + " req/s" : "nothing measured";
    for (const std::string_view key : {"p50", "p99"})
        if (const auto quantile = trial.load.latency.percentile(key))
            text += ", " + std::string(key) + (quantile->atLeast ? " >= " : " ") + formatLatencyUs(quantile->us);
    if (trial.load.failed > 0)
        text += ", " + std::to_string(trial.load.failed) + " failed";
    return text + (trial.outcome == Outcome::interrupted ? ", interrupted" : "");
}

} // namespace

void BarProgress::sessionStarted(std::size_t trials, Nanoseconds estimate)
{
    m_trials = trials;
    m_mayGrow = m_plan.untilCi.has_value();
    const std::string text = formatCounted(trials, "trial") + ", about " + formatRemaining(estimate);
    std::fprintf(stderr, "%s\n", text.c_str());
}

void BarProgress::trialStarted(const TrialPlan& trial, const Plan&, Nanoseconds remaining)
{
    m_trial = trial;
    m_mayGrow = m_mayGrow || trial.attempt > 1;
    m_trialStartedNs = steadyNs();
    m_remaining = remaining;
    m_figures.clear();
    m_phase = "start";
    show();
}

void BarProgress::phase(const std::string& name)
{
    m_phase = name;
    if (name != "measure" && name != "warmup")
        m_figures.clear();
    show();
}

void BarProgress::interval(const SessionInterval& interval)
{
    m_figures = interval.load.rps ? formatRate(*interval.load.rps) + " req/s" : "";
    if (interval.load.failed > 0)
        m_figures += ", failing";
    show();
}

/// "trial 4 of 12"; where rounds are added or run again the whole number is not known, and nothing beyond it.
std::string BarProgress::placeOf(std::size_t index) const
{
    const std::string text = "trial " + std::to_string(index + 1);
    return m_mayGrow || index >= m_trials ? text : text + " of " + std::to_string(m_trials);
}

void BarProgress::show()
{
    const Nanoseconds left = std::max(Nanoseconds::zero(), m_remaining - Nanoseconds(steadyNs() - m_trialStartedNs));
    std::string text = placeOf(m_trial.index) + ", about " + formatRemaining(left) + " left · " +
                       withoutControls(m_plan.targets[m_trial.target].shownName()) + " · " +
                       formatLevel(m_trial.level) + " · " + roundOf(m_plan, m_trial.round, m_trial.attempt) + " · " +
                       m_phase;
    if (!m_figures.empty())
        text += " · " + m_figures;
    m_line.show(text);
}

void BarProgress::trialFinished(const Trial& trial)
{
    if (m_line.live() && trial.outcome == Outcome::done)
        return;
    m_line.clear();
    const std::string text = placeOf(trial.index) + ": " + labelOf(m_plan, trial.target) + ", " + trial.workload +
                             ", " + formatLevel(trial.level) + ", " + roundOf(m_plan, trial.round, trial.attempt) +
                             ": " + figuresOf(trial);
    std::fprintf(stderr, "%s\n", withoutControls(text).c_str());
}

void BarProgress::warning(const Warning& warning)
{
    m_line.clear();
    std::fprintf(stderr, "%s: %s\n", warning.severity.c_str(), withoutControls(warning.text).c_str());
}

void BarProgress::preparation(const std::string& line)
{
    if (m_line.live())
        m_line.show(withoutControls(line));
    else
        std::fprintf(stderr, "%s\n", withoutControls(line).c_str());
}

} // namespace lapbench
