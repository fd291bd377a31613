#include "core/session/goal_run.h"

#include "core/base/units.h"
#include "core/session/goal_step.h"
#include "core/stats/goal_search.h"

#include <poll.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapbench {

namespace {

constexpr Nanoseconds kProbe = std::chrono::seconds(2);  // the closed loop at the beginning, at full scale
constexpr Nanoseconds kRewarm = std::chrono::seconds(1); // before each window, at full scale
constexpr Nanoseconds kLongestDrain = std::chrono::seconds(2);

std::string rateText(double rate)
{
    return rate >= 100 ? std::to_string(std::lround(rate)) : formatSignificant(rate);
}

/// One search, told in order. Lives on the stack of runGoalTrial.
class GoalRun {
public:
    GoalRun(const TrialRun& run, const Goal& goal, double scale, Trial& trial)
        : m_run(run), m_goal(goal), m_scale(scale), m_trial(trial), m_blank(trial)
    {}

    void run();

private:
    std::optional<double> probe();
    bool tryRate(double rate);
    bool endsSearch(const Trial& step) const;
    void endWith(Trial step);
    void drain(const LoadFigures& load) const;
    void conclude();
    void fillFrom(Trial best);
    Bottleneck limitOf(const Trial& best) const;
    const GoalStep* lowestFailed() const;
    Nanoseconds atScale(Nanoseconds length) const;

    const TrialRun& m_run;
    const Goal& m_goal;
    const double m_scale;
    Trial& m_trial;
    const Trial m_blank;
    GoalSearch m_search;
    std::vector<TriedRate> m_tried;
    std::vector<Warning> m_warnings;
    std::optional<double> m_warmSeconds;
    std::optional<SteadyFigures> m_steady;
    std::optional<Trial> m_best;
};

void GoalRun::run()
{
    const UtcTime started = std::chrono::system_clock::now();
    m_search.goal = describeGoal(m_goal);
    if (const auto reached = probe()) {
        const auto bound = [](std::optional<unsigned> rate) {
            return rate ? std::optional<double>(*rate) : std::nullopt;
        };
        const RateBounds bounds{*reached, bound(m_goal.from), bound(m_goal.to)};
        bool going = true;
        while (going) {
            const auto rate = nextRate(bounds, m_tried);
            if (!rate) {
                conclude();
                break;
            }
            going = tryRate(*rate);
        }
    }
    m_trial.started = started;
    m_trial.search = std::move(m_search);
}

Nanoseconds GoalRun::atScale(Nanoseconds length) const
{
    return std::chrono::duration_cast<Nanoseconds>(length * m_scale);
}

/// What the server does in a closed loop; nothing where that was the end of the trial already.
std::optional<double> GoalRun::probe()
{
    TrialRun run = m_run;
    run.task.course.clear();
    if (run.task.measure.duration)
        run.task.measure.duration = std::min(*run.task.measure.duration, atScale(kProbe));
    Trial step = m_blank;
    runTrial(run, step);
    if (step.outcome != Outcome::done) {
        endWith(std::move(step));
        return std::nullopt;
    }
    m_warnings = std::move(step.warnings);
    // What else it says is of a closed loop, and the trial's figures are not.
    std::erase_if(m_warnings, [](const Warning& warning) { return warning.code != "never_steady"; });
    m_warmSeconds = step.load.warmSeconds;
    m_steady = step.load.steady;
    return step.load.rps;
}

/// One step; false where it was the end of the trial.
bool GoalRun::tryRate(double rate)
{
    TrialRun run = m_run;
    run.task.course = constantRate(rate);
    run.task.warmup = {atScale(kRewarm), std::nullopt};
    if (run.task.measure.duration)
        run.task.warmup.duration = std::max(*run.task.warmup.duration, *run.task.measure.duration / 10);
    run.onPhase = [&](const std::string& name) {
        if (m_run.onPhase && name == "connect")
            m_run.onPhase("search " + rateText(rate) + "/s");
    };
    Trial step = m_blank;
    runTrial(run, step);
    if (endsSearch(step)) {
        endWith(std::move(step));
        return false;
    }
    GoalStep judged = judgeStep(m_goal, rate, step.load);
    const std::string limit = judged.held ? std::string() : generatorLimit(step.load);
    if (!limit.empty())
        judged.why += ", as " + limit;
    m_tried.push_back({rate, judged.held, !limit.empty()});
    const bool best = judged.held && (!m_best || rate > m_search.rate.value_or(0));
    m_search.steps.push_back(std::move(judged));
    if (best)
        m_search.rate = rate;
    drain(step.load);
    if (best)
        m_best = std::move(step);
    return true;
}

/// A rate at which no request was answered rightly is one that was not kept. Where the load could not be made at all,
/// or the server has ended, there is nothing more to try.
bool GoalRun::endsSearch(const Trial& step) const
{
    if (step.outcome == Outcome::done)
        return false;
    if (step.outcome != Outcome::failed || !step.failure || step.failure->phase != "measure")
        return true;
    return m_run.server != nullptr && m_run.server->exited().has_value();
}

void GoalRun::endWith(Trial step)
{
    m_trial = std::move(step);
    m_search.rate.reset();
}

/// What was on its way when the window closed, the server has answered when as much time has passed as its slowest
/// answer took.
void GoalRun::drain(const LoadFigures& load) const
{
    const double slowestUs = load.service ? load.service->maxUs.value_or(0) : 0;
    const auto wait = std::min(kLongestDrain, Nanoseconds(std::llround(slowestUs * 1e3)));
    const std::int64_t endNs = steadyNs() + wait.count();
    while ((m_run.stop == nullptr || !m_run.stop->load()) && steadyNs() < endNs)
        ::poll(nullptr, 0, static_cast<int>(std::clamp<std::int64_t>((endNs - steadyNs()) / 1'000'000, 1, 20)));
}

const GoalStep* GoalRun::lowestFailed() const
{
    const GoalStep* lowest = nullptr;
    for (const GoalStep& step : m_search.steps)
        if (!step.held && step.rate > m_search.rate.value_or(0) && (lowest == nullptr || step.rate < lowest->rate))
            lowest = &step;
    return lowest;
}

void GoalRun::conclude()
{
    const FoundRate found = foundRate(m_tried);
    m_search.rate = found.rate;
    m_search.atLeast = found.atLeast;
    if (m_best) {
        fillFrom(*std::move(m_best));
        return;
    }
    m_trial.outcome = Outcome::failed;
    const GoalStep* lowest = lowestFailed();
    m_trial.failure = TrialFailure{"measure",
                                   "even " + rateText(lowest->rate) + " requests/s did not keep the goal (" +
                                       m_search.goal + "): " + lowest->why,
                                   {}};
    m_trial.warnings = std::move(m_warnings);
}

void GoalRun::fillFrom(Trial best)
{
    m_trial = std::move(best);
    // The server warmed up in the closed loop; each window after it found a warm one.
    m_trial.load.warmSeconds = m_warmSeconds;
    m_trial.load.steady = m_steady;
    m_trial.bottleneck = limitOf(m_trial);
    if (m_search.atLeast)
        m_search.reason = m_trial.bottleneck->reason;
    m_warnings.insert(m_warnings.end(), m_trial.warnings.begin(), m_trial.warnings.end());
    m_trial.warnings = std::move(m_warnings);
}

/// What was wrong with the window of the accepted rate stays; that it reached the rate asked for, or that requests
/// waited for connections, says less than what the search has found.
Bottleneck GoalRun::limitOf(const Trial& best) const
{
    if (best.bottleneck)
        for (const Limit limit : {Limit::errors, Limit::clientLimit, Limit::noise})
            if (best.bottleneck->limit == limit)
                return *best.bottleneck;
    const GoalStep* failed = lowestFailed();
    if (failed == nullptr)
        return {Limit::rate,
                "even " + rateText(*m_search.rate) + " requests/s, the most that were tried, kept the goal", true};
    return {m_search.atLeast ? Limit::generator : Limit::server,
            "at " + rateText(failed->rate) + " requests/s the goal was not kept: " + failed->why, !m_search.atLeast};
}

} // namespace

void runGoalTrial(const TrialRun& run, const Goal& goal, double scale, Trial& trial)
{
    GoalRun(run, goal, scale, trial).run();
}

} // namespace lapbench
