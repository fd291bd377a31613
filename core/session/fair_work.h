#pragma once

#include "core/plan/plan.h"
#include "core/result/audit.h"
#include "core/result/session_result.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Asks a target's server at `url` for one request of each kind of each workload of the plan, byte for byte as the load
/// would send it as the first of its kind, and again on the same connection, to see whether it is kept and whether the
/// answer stays the same. Blocks for at most the plan's timeouts; `stop` breaks it off. Any thread. A server that does
/// not answer is a `failure` in its probes.
std::vector<FairProbe> probeTarget(const Plan& plan, const Target& target, const std::string& url,
                                   const std::atomic<bool>* stop = nullptr);

/// Probes of a target that could not be started: each with `failure` as the reason.
std::vector<FairProbe> unansweredProbes(const Plan& plan, const Target& target, const std::string& failure);

/// Fills in `bodySha256` and `comparedBytes` from `body`.
void describeBody(FairProbe& probe, const FairWorkRules& rules);

/// Lays the probes of each workload and request side by side; the first that answered is the reference. Pure;
/// bodies that the probes still have are described anew and then dropped. Which difference weighs how much is in
/// docs/numbers.md.
FairWork compareProbes(std::vector<FairProbe> probes, const FairWorkRules& rules);

/// The audit as one warning of the session ("unequal_work"); nothing where there is nothing to warn of.
std::optional<Warning> fairWorkWarning(const FairWork& work);

/// What finished trials show of the work done, over all rounds: "bytes_per_answer" where the bodies of a target's right
/// answers are more than 1 % longer or shorter than the first target's in the same workload and level;
/// "connections_not_reused" where fewer than 90 % of a target's requests there found their connection open (1 -
/// reconnects / requests) although the plan keeps connections. Pure. Bodies that the plan ignores are not compared, nor
/// those of fewer than 1,000 answers. Superseded trials do not count.
std::vector<Warning> workWarnings(const Plan& plan, const std::vector<Trial>& trials);

} // namespace lapbench
