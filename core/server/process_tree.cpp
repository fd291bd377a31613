#include "core/server/process_tree.h"

#include "core/base/clock.h"
#include "core/base/owned_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string_view>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

std::string readShort(const fs::path& path)
{
    const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text(2048, '\0');
    const ssize_t got = fd.open() ? ::read(fd.get(), text.data(), text.size()) : 0;
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

std::optional<pid_t> pidFrom(std::string_view name)
{
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size() || pid <= 0)
        return std::nullopt;
    return pid;
}

/// Calls `each(name)` for every entry; an entry that vanishes meanwhile is no error.
template <typename Each>
bool forEachEntry(const fs::path& folder, Each each)
{
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        each(at->path());
    return !error;
}

} // namespace

std::optional<ProcessStat> readProcessStat(const fs::path& procRoot, pid_t pid)
{
    const std::string text = readShort(procRoot / std::to_string(pid) / "stat");
    // The name stands in parentheses and may hold any character, so the fields start after the last one.
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos || close + 2 >= text.size())
        return std::nullopt;
    ProcessStat stat;
    stat.pid = pid;
    stat.state = text[close + 2];
    const char* at = text.c_str() + close + 3;
    constexpr int kFirstField = 4, kLastField = 24;
    std::uint64_t fields[kLastField + 1] = {};
    for (int field = kFirstField; field <= kLastField; ++field) {
        char* end = nullptr;
        fields[field] = static_cast<std::uint64_t>(std::strtoll(at, &end, 10));
        if (end == at)
            return std::nullopt;
        at = end;
    }
    stat.parent = static_cast<pid_t>(fields[4]);
    stat.session = static_cast<pid_t>(fields[6]);
    stat.ownTicks = fields[14] + fields[15];
    stat.childTicks = fields[16] + fields[17];
    stat.startTicks = fields[22];
    stat.rssPages = fields[24];
    return stat;
}

std::vector<ProcessStat> allProcesses(const fs::path& procRoot)
{
    std::vector<ProcessStat> all;
    forEachEntry(procRoot, [&](const fs::path& entry) {
        if (const auto pid = pidFrom(entry.filename().native()))
            if (const auto stat = readProcessStat(procRoot, *pid))
                all.push_back(*stat);
    });
    return all;
}

std::vector<pid_t> descendantsOf(const fs::path& procRoot, pid_t root)
{
    std::multimap<pid_t, pid_t> children;
    for (const ProcessStat& stat : allProcesses(procRoot))
        children.emplace(stat.parent, stat.pid);
    std::vector<pid_t> tree = {root};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const auto [first, last] = children.equal_range(tree[i]);
        for (auto child = first; child != last; ++child)
            if (child->second != root)
                tree.push_back(child->second);
        // Each process is taken once, even if processes changed their parents while the list was read.
        children.erase(first, last);
    }
    tree.erase(tree.begin());
    return tree;
}

std::string processName(const fs::path& procRoot, pid_t pid)
{
    std::string name = readShort(procRoot / std::to_string(pid) / "comm");
    if (!name.empty() && name.back() == '\n')
        name.pop_back();
    return name;
}

std::optional<std::vector<std::uint64_t>> socketsOf(const fs::path& procRoot, pid_t pid)
{
    std::vector<std::uint64_t> inodes;
    const bool readable = forEachEntry(procRoot / std::to_string(pid) / "fd", [&](const fs::path& entry) {
        std::error_code error;
        const std::string link = fs::read_symlink(entry, error).native();
        constexpr std::string_view kSocket = "socket:[";
        if (!error && link.starts_with(kSocket))
            inodes.push_back(std::strtoull(link.c_str() + kSocket.size(), nullptr, 10));
    });
    if (!readable)
        return std::nullopt;
    return inodes;
}

void endChildTree(pid_t root)
{
    constexpr Nanoseconds kGrace = std::chrono::milliseconds(500);
    constexpr Nanoseconds kLongest = std::chrono::seconds(10);
    // By pid and start: when the root ends first, the others belong to somebody else and are not found below it any
    // more.
    std::map<pid_t, std::uint64_t> below;
    const auto find = [&] {
        for (const pid_t pid : descendantsOf("/proc", root))
            if (const auto stat = readProcessStat("/proc", pid))
                below.emplace(pid, stat->startTicks);
    };
    const auto isGone = [](const auto& process) {
        const auto stat = readProcessStat("/proc", process.first);
        return !stat || stat->startTicks != process.second || !stat->alive();
    };
    find();
    for (const auto& [pid, start] : below)
        ::kill(pid, SIGTERM);
    ::kill(root, SIGTERM);
    const std::int64_t startNs = steadyNs();
    for (bool rootLeft = true;;) {
        rootLeft = rootLeft && ::waitpid(root, nullptr, WNOHANG) == 0;
        std::erase_if(below, isGone);
        const std::int64_t sinceNs = steadyNs() - startNs;
        if ((!rootLeft && below.empty()) || sinceNs > kLongest.count())
            return;
        if (sinceNs > kGrace.count()) {
            if (rootLeft) {
                find();
                ::kill(root, SIGKILL);
            }
            for (const auto& [pid, start] : below)
                ::kill(pid, SIGKILL);
        }
        ::poll(nullptr, 0, 10);
    }
}

} // namespace lapbench
