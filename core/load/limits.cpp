#include "core/load/limits.h"

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

namespace lapbench {

namespace {

constexpr std::uint64_t kPerWorker = 3; // the poller's two, and one that libcurl may want
constexpr std::uint64_t kSpare = 16;    // files that are written meanwhile

std::uint64_t openDescriptors()
{
    std::error_code error;
    std::filesystem::directory_iterator entries("/proc/self/fd", error);
    return error ? 3 : static_cast<std::uint64_t>(std::distance(begin(entries), end(entries)));
}

} // namespace

Result<void> checkDescriptors(unsigned connections, unsigned workers)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return {};
    const std::uint64_t needed = openDescriptors() + connections + kPerWorker * workers + kSpare;
    if (needed <= limit.rlim_cur)
        return {};
    const std::string hard = limit.rlim_max == RLIM_INFINITY ? "no end" : std::to_string(limit.rlim_max);
    return Problem{"connections",
                   std::to_string(connections) + " connections need " + std::to_string(needed) +
                       " open files and this process may have " + std::to_string(limit.rlim_cur),
                   needed <= limit.rlim_max
                       ? "raise the limit with ulimit -n " + std::to_string(needed) + " (it may go up to " + hard + ")"
                       : "ask for fewer connections, or let root raise the hard limit of " + hard};
}

} // namespace lapbench
