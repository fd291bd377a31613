#pragma once

#include "core/result/session_result.h"
#include "core/server/sampler.h"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace lapbench {

/// What bears on a trial's limit beside its own figures; what is not known is absent.
struct TrialCircumstances {
    std::optional<double> ceilingRps;          ///< of this machine as a generator; no lower bound of it
    std::optional<double> rateAsked;           ///< requests a second, the mean over the window
    std::optional<double> stoodStillSeconds;   ///< of the window: see stoodStill() in noise.h
    std::optional<double> busiestProcessCores; ///< of the server's, over the window
    std::optional<double> serverAllowedCores;
    bool newConnections = false; ///< one for each request
    bool gaveUp = false;         ///< not all requests of a count were made
    bool openedEmpty = false;    ///< the load, at a rate that stays the same, began with the window: the answers to
                                 ///< what was due at its end are missing, and none from before it are there instead
};

/// What findBottleneck() is to judge a finished trial by. Fewer connections than were asked for are only evidence where
/// one could not be opened, or where the transport opens all of them ahead. Of a window that opened empty the rate that
/// was made may be that of its later half. Pure.
BottleneckEvidence evidenceOf(const Trial& trial, const TrialCircumstances& circumstances);

/// The mean over the window of the process that used most, from what each had used at its begin and at its end, as a
/// share of the tree's mean. `treeSeconds` is what the whole tree used meanwhile, processes that ended among it.
/// Nothing where none used any. Pure.
std::optional<double> busiestProcess(const std::vector<ProcessTime>& before, const std::vector<ProcessTime>& after,
                                     std::optional<double> treeCores, double treeSeconds);

/// How many processors these processes may use together: by their affinity, and by the quota of their control groups
/// where it is the same for all of them. Nothing where no affinity can be read. The folders are parameters for tests.
std::optional<double> allowedCores(const std::vector<ProcessTime>& processes,
                                   const std::filesystem::path& procRoot = "/proc",
                                   const std::filesystem::path& sysRoot = "/sys");

} // namespace lapbench
