#include "core/plan/field_row.h"

namespace lapbench {

using namespace field_row;

namespace {

using enum FieldScope;
using enum FieldType;

constexpr std::uint64_t kPercent = 10'000; // in millionths
constexpr std::uint64_t kShortestGoal = kMs / 100;

constexpr Field goalRow(Field field)
{
    field.scope = find;
    field.type = duration;
    field.min = kShortestGoal;
    field.max = kHour;
    return field;
}

constexpr Field kFields[] = {
    row<&Plan::untilCi>({.scope = plan,
                         .key = "until_ci",
                         .type = share,
                         .min = kPercent / 10,
                         .max = 50 * kPercent,
                         .help = "Rounds go on, never fewer than 6, until the interval of every comparison is within "
                                 "+/- this share; rounds is then the most that are run, 1000 where absent."}),
    row<&Plan::budget>({.scope = plan,
                        .key = "budget",
                        .type = duration,
                        .min = 1000 * kMs,
                        .help = "Time for the whole session: no round begins that would end later."}),
    row<&Plan::equivalence>({.scope = plan,
                             .key = "equivalence",
                             .type = share,
                             .max = 50 * kPercent,
                             .help = "Differences within +/- this share are none for all practical purposes: the "
                                     "verdict is equivalent where the whole interval lies in it."}),
    row<&Plan::aaControl>({.scope = plan,
                           .key = "aa_control",
                           .type = boolean,
                           .help = "The first target runs a second time under another name: how far the two differ is "
                                   "the noise floor of the machine."}),
    row<&Plan::coldStarts>({.scope = plan,
                            .key = "cold_starts",
                            .type = integer,
                            .unit = "starts",
                            .max = 1000,
                            .help = "Starts of each server before the first round, for the start-up time alone."}),
    row<&Plan::noiseLimit>({.scope = plan,
                            .key = "noise_limit",
                            .type = share,
                            .max = 100 * kPercent,
                            .help = "A round is repeated where more than this share of its seconds was noisy; both are "
                                    "kept."}),
    row<&Plan::noisyRepeats>({.scope = plan,
                              .key = "noisy_repeats",
                              .type = integer,
                              .unit = "repeats",
                              .max = 2,
                              .help = "How often a noisy round is repeated at most; 0: never."}),

    row<&Goal::p50>(goalRow({.key = "p50",
                             .help = "The highest rate is searched for at which the median latency, from when a "
                                     "request was due, is no more than this."})),
    row<&Goal::p90>(goalRow({.key = "p90", .help = "The same of the 90th percentile."})),
    row<&Goal::p95>(goalRow({.key = "p95", .help = "The same of the 95th percentile."})),
    row<&Goal::p99>(goalRow({.key = "p99", .help = "The same of the 99th percentile."})),
    row<&Goal::p99_9>(goalRow({.key = "p99_9", .help = "The same of the 99.9th percentile."})),
    row<&Goal::errors>({.scope = find,
                        .key = "errors",
                        .type = share,
                        .max = 100 * kPercent,
                        .help = "Share of the requests that may fail."}),
    row<&Goal::from>({.scope = find,
                      .key = "from",
                      .type = count,
                      .unit = "requests/s",
                      .min = 1,
                      .max = 100'000'000,
                      .help = "Rate below which is not searched; absent: found by the search."}),
    row<&Goal::to>({.scope = find,
                    .key = "to",
                    .type = count,
                    .unit = "requests/s",
                    .min = 1,
                    .max = 100'000'000,
                    .help = "Rate above which is not searched; absent: found by the search."}),

    row<&Affinity::server>({.scope = affinity,
                            .key = "server",
                            .type = cores,
                            .max = kHighestCore,
                            .help = "Processors that the server under test is kept to; absent: any."}),
    row<&Affinity::generator>({.scope = affinity,
                               .key = "generator",
                               .type = cores,
                               .max = kHighestCore,
                               .help = "Processors that the generator's threads are kept to; absent: any. Best others "
                                       "than the server's."}),

    row<&FairWorkRules::audit>({.scope = fairWork,
                                .key = "audit",
                                .type = boolean,
                                .help = "Before the first round every target is asked each request once, and the "
                                        "answers are laid side by side."}),
    row<&FairWorkRules::ignore>({.scope = fairWork,
                                 .key = "ignore",
                                 .type = list,
                                 .help = "What may differ between the targets' answers: \"body\" (length and content), "
                                         "or the JSON pointer of a field, such as /generated_at."}),
};

} // namespace

std::span<const Field> fieldsOfTrust()
{
    return kFields;
}

} // namespace lapbench
