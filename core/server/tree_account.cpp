#include "core/server/tree_account.h"

#include "core/base/clock.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace lapbench {

namespace {

constexpr unsigned kSearchEvery = 10; ///< looks

} // namespace

TreeAccount::TreeAccount(pid_t root, std::filesystem::path procRoot, Watch watch)
    : m_root(root), m_procRoot(std::move(procRoot)), m_watch(watch),
      m_secondsPerTick(1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK))),
      m_pageBytes(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)))
{}

std::optional<TreeSample> TreeAccount::look()
{
    TreeSample sample;
    sample.atNs = steadyNs();
    update();
    if (mayHaveNew())
        findNew();
    m_first = false;
    for (const auto& [pid, member] : m_members) {
        if (!counts(pid) || !member.stat.alive())
            continue;
        sample.rssBytes += member.stat.rssPages * m_pageBytes;
        ++sample.processes;
    }
    sample.cpuSeconds = static_cast<double>(m_ticks) * m_secondsPerTick;
    if (sample.processes == 0)
        return std::nullopt;
    return sample;
}

std::vector<ProcessTime> TreeAccount::processes() const
{
    std::vector<ProcessTime> living;
    for (const auto& [pid, member] : m_members)
        if (counts(pid) && member.stat.alive())
            living.push_back({pid, static_cast<double>(member.stat.ownTicks) * m_secondsPerTick});
    return living;
}

/// Looking through all processes ten times a second would itself be load; the number of the newest process, the last
/// field of /proc/loadavg, tells whether there can be anything new. A number is given out a moment before its process
/// can be seen, hence a search now and then in any case.
bool TreeAccount::mayHaveNew()
{
    std::ifstream file(m_procRoot / "loadavg");
    std::string newest;
    for (std::string field; file >> field;)
        newest = field;
    const bool changed = newest.empty() || newest != m_newestPid;
    m_newestPid = newest;
    return changed || ++m_looks % kSearchEvery == 0;
}

void TreeAccount::join(const ProcessStat& stat)
{
    const bool isNew = m_members.emplace(stat.pid, Member{stat, 0, 0}).second;
    // At the first look the past does not count; a process found later is all ours.
    if (isNew && !m_first && counts(stat.pid))
        m_ticks += stat.ownTicks + stat.childTicks;
}

void TreeAccount::findNew()
{
    std::multimap<pid_t, ProcessStat> children;
    for (const ProcessStat& stat : allProcesses(m_procRoot)) {
        children.emplace(stat.parent, stat);
        if (m_first && stat.pid == m_root)
            join(stat);
    }
    // From the root first, then from members whose way up to the root is cut.
    std::vector<pid_t> from = {m_root};
    from.insert(from.end(), m_order.begin(), m_order.end());
    std::set<pid_t> seen;
    m_order.clear();
    for (const pid_t start : from) {
        if (!m_members.contains(start) || !seen.insert(start).second)
            continue;
        m_order.push_back(start);
        for (std::size_t i = m_order.size() - 1; i < m_order.size(); ++i) {
            const auto [first, last] = children.equal_range(m_order[i]);
            for (auto child = first; child != last; ++child) {
                join(child->second);
                if (seen.insert(child->second.pid).second)
                    m_order.push_back(child->second.pid);
            }
        }
    }
}

void TreeAccount::update()
{
    std::map<pid_t, Member> gone;
    std::map<pid_t, std::uint64_t> inherited;
    const auto grown = [](std::uint64_t now, std::uint64_t before) { return now > before ? now - before : 0; };
    // Parents first: a child that ends meanwhile is then missing here and inherited at the next look, never both.
    for (const pid_t pid : m_order) {
        Member& member = m_members.at(pid);
        const auto stat = readProcessStat(m_procRoot, pid);
        if (!stat || stat->startTicks != member.stat.startTicks) {
            gone.emplace(pid, member);
            m_members.erase(pid);
            continue;
        }
        if (counts(pid))
            m_ticks += grown(stat->ownTicks, member.stat.ownTicks);
        inherited[pid] = grown(stat->childTicks, member.stat.childTicks);
        member.stat = *stat;
    }
    std::erase_if(m_order, [&](pid_t pid) { return gone.contains(pid); });
    bury(gone);
    for (const auto& [pid, ticks] : inherited)
        settle(pid, ticks);
}

void TreeAccount::bury(const std::map<pid_t, Member>& gone)
{
    for (const auto& [pid, member] : gone) {
        pid_t heir = member.stat.parent;
        for (auto dead = gone.find(heir); dead != gone.end(); dead = gone.find(heir))
            heir = dead->second.stat.parent;
        if (const auto living = m_members.find(heir); living != m_members.end())
            living->second.owed += member.allTicks() + member.owed + member.owedBefore;
    }
}

void TreeAccount::settle(pid_t pid, std::uint64_t inherited)
{
    Member& member = m_members.at(pid);
    const std::uint64_t paidBefore = std::min(member.owedBefore, inherited);
    const std::uint64_t paid = std::min(member.owed, inherited - paidBefore);
    m_ticks += inherited - paidBefore - paid;
    // A debt waits for one more look at most: a parent that ignores SIGCHLD never inherits.
    member.owedBefore = member.owed - paid;
    member.owed = 0;
}

} // namespace lapbench
