#pragma once

#include "core/server/process_tree.h"
#include "core/server/sampler.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Adds up CPU and memory of a process tree from one look to the next. CPU counts from the first look for the processes
/// that are there then, and from their birth for those found later. What a process used between the last look and its
/// end, and what short-lived children used that no look has met, is taken from the times their parent inherits when it
/// waits for them. The sum never falls. One thread.
class TreeAccount {
public:
    TreeAccount(pid_t root, std::filesystem::path procRoot, Watch watch);

    /// The tree now; nothing when no process of it is left.
    std::optional<TreeSample> look();
    /// The living processes at the last look.
    std::vector<ProcessTime> processes() const;

private:
    struct Member {
        ProcessStat stat;
        /// Ticks of children that ended and are counted already; the parent is about to inherit them.
        std::uint64_t owed = 0, owedBefore = 0;

        std::uint64_t allTicks() const { return stat.ownTicks + stat.childTicks; }
    };

    bool mayHaveNew();
    void findNew();
    void join(const ProcessStat& stat);
    void update();
    void bury(const std::map<pid_t, Member>& gone);
    void settle(pid_t pid, std::uint64_t inherited);
    bool counts(pid_t pid) const { return m_watch == Watch::treeOfRoot || pid != m_root; }

    const pid_t m_root;
    const std::filesystem::path m_procRoot;
    const Watch m_watch;
    const double m_secondsPerTick;
    const std::uint64_t m_pageBytes;
    bool m_first = true;
    std::string m_newestPid; ///< of the machine, at the last look
    unsigned m_looks = 0;    ///< without a newer one
    std::map<pid_t, Member> m_members;
    std::vector<pid_t> m_order; ///< parents before their children
    std::uint64_t m_ticks = 0;
};

} // namespace lapbench
