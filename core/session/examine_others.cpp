#include "core/session/examine_others.h"

#include "core/base/units.h"
#include "core/host/affinity.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

namespace lapbench {

namespace {

constexpr int kWatchMs = 300;
constexpr double kNoisyShare = 0.10; ///< of the machine: with more taken by others a second of a trial is noisy

} // namespace

DoctorFinding judgeOthers(const std::vector<BusyProcess>& busiest, unsigned cpus)
{
    if (busiest.empty())
        return {"others", "ok", "no other program uses the processors right now", ""};
    const double cores = std::accumulate(busiest.begin(), busiest.end(), 0.0,
                                         [](double sum, const BusyProcess& process) { return sum + process.cores; });
    DoctorFinding finding{"others", "ok",
                          "other programs use " + formatSignificant(cores) + " of " + formatCounted(cpus, "processor") +
                              " right now: " + formatBusy(busiest),
                          ""};
    if (cores >= kNoisyShare * cpus) {
        finding.severity = "warning";
        finding.cure = "end them, or wait until they are done";
    }
    return finding;
}

DoctorFinding examineOthers()
{
    const ProcessSnapshot before = takeSnapshot();
    ::poll(nullptr, 0, kWatchMs);
    const auto cpus = static_cast<unsigned>(readTopology().processors().size());
    return judgeOthers(busiestOthers(before, takeSnapshot(), {::getpid()}), std::max(1U, cpus));
}

} // namespace lapbench
