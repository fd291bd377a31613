#include "core/server/busy_processes.h"

#include "core/base/clock.h"
#include "core/base/units.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace lapbench {

namespace {

constexpr double kLeastCores = 0.01;

/// Every pid of the trees below `roots`, themselves included, in one snapshot.
void addTrees(const ProcessSnapshot& snapshot, const std::vector<pid_t>& roots, std::set<pid_t>& trees)
{
    std::multimap<pid_t, pid_t> children;
    for (const ProcessStat& process : snapshot.processes)
        children.emplace(process.parent, process.pid);
    std::vector<pid_t> found = roots;
    for (std::size_t i = 0; i < found.size(); ++i) {
        trees.insert(found[i]);
        const auto [first, last] = children.equal_range(found[i]);
        for (auto child = first; child != last; ++child)
            found.push_back(child->second);
        // Each process is taken once, even if processes changed their parents while the list was read.
        children.erase(first, last);
    }
}

} // namespace

ProcessSnapshot takeSnapshot(const std::filesystem::path& procRoot)
{
    // The moment in the middle: each process is read a little earlier or later.
    const std::int64_t beginNs = steadyNs();
    ProcessSnapshot snapshot{0, allProcesses(procRoot)};
    snapshot.atNs = beginNs + (steadyNs() - beginNs) / 2;
    return snapshot;
}

std::vector<BusyProcess> busiestOthers(const ProcessSnapshot& before, const ProcessSnapshot& after,
                                       const std::vector<pid_t>& excluded, std::size_t most,
                                       const std::filesystem::path& procRoot)
{
    std::vector<BusyProcess> busy;
    const std::int64_t stretchNs = after.atNs - before.atNs;
    if (stretchNs < kShortestStretchNs)
        return busy;
    std::set<pid_t> left;
    addTrees(before, excluded, left);
    addTrees(after, excluded, left);
    std::map<pid_t, const ProcessStat*> earlier;
    for (const ProcessStat& process : before.processes)
        earlier.emplace(process.pid, &process);
    const double coresPerTick = 1e9 / static_cast<double>(stretchNs) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    for (const ProcessStat& process : after.processes) {
        if (left.contains(process.pid))
            continue;
        std::uint64_t ticks = process.ownTicks;
        const auto same = earlier.find(process.pid);
        if (same != earlier.end() && same->second->startTicks == process.startTicks)
            ticks -= std::min(ticks, same->second->ownTicks);
        const double cores = static_cast<double>(ticks) * coresPerTick;
        if (cores >= kLeastCores)
            busy.push_back({process.pid, "", cores});
    }
    std::stable_sort(busy.begin(), busy.end(),
                     [](const BusyProcess& a, const BusyProcess& b) { return a.cores > b.cores; });
    busy.resize(std::min(busy.size(), most));
    for (BusyProcess& process : busy)
        process.name = processName(procRoot, process.pid);
    return busy;
}

std::string formatBusy(const std::vector<BusyProcess>& processes)
{
    std::string text;
    for (const BusyProcess& process : processes)
        text += (text.empty() ? "" : ", ") + (process.name.empty() ? "a process that has ended" : process.name) + " (" +
                std::to_string(process.pid) + ") " + formatSignificant(process.cores);
    return text;
}

} // namespace lapbench
