#include "core/result/attempts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lapbench {

namespace {

struct Attempt {
    std::size_t trials = 0, brokenOff = 0, forNothing = 0;
    double noise = 0;
};

std::map<unsigned, Attempt> attemptsOf(const std::vector<Trial>& trials, unsigned round)
{
    std::map<unsigned, Attempt> attempts;
    for (const Trial& trial : trials) {
        if (trial.round != round)
            continue;
        Attempt& attempt = attempts[trial.attempt];
        ++attempt.trials;
        attempt.brokenOff += trial.outcome == Outcome::interrupted ? 1 : 0;
        attempt.forNothing += trial.outcome == Outcome::done ? 0 : 1;
    }
    for (auto& [number, attempt] : attempts)
        attempt.noise = noiseOf(trials, round, number).value_or(0);
    return attempts;
}

} // namespace

std::optional<double> noiseOf(const std::vector<Trial>& trials, unsigned round, unsigned attempt)
{
    std::optional<double> noise;
    for (const Trial& trial : trials)
        if (trial.round == round && trial.attempt == attempt && trial.outcome == Outcome::done &&
            trial.host.noisySeconds)
            noise = std::max(noise.value_or(0), *trial.host.noisySeconds);
    return noise;
}

unsigned countingAttempt(const std::vector<Trial>& trials, unsigned round)
{
    const std::map<unsigned, Attempt> attempts = attemptsOf(trials, round);
    if (attempts.empty())
        return 1;
    const auto& [first, whole] = *attempts.begin();
    std::optional<std::tuple<std::size_t, double, unsigned>> best;
    unsigned counting = first;
    for (const auto& [number, attempt] : attempts) {
        if (attempt.trials < whole.trials || attempt.brokenOff > 0)
            continue;
        const std::tuple rank{attempt.forNothing, attempt.noise, ~number}; // ~: of equals the latest
        if (best && *best < rank)
            continue;
        best = rank;
        counting = number;
    }
    return counting;
}

void markSuperseded(std::vector<Trial>& trials)
{
    std::map<unsigned, unsigned> counting;
    for (const Trial& trial : trials)
        if (!counting.contains(trial.round))
            counting[trial.round] = countingAttempt(trials, trial.round);
    for (Trial& trial : trials)
        trial.superseded = trial.attempt != counting[trial.round];
}

} // namespace lapbench
