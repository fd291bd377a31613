#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// The processors the calling thread may run on, ascending; empty where the kernel does not say.
std::vector<unsigned> allowedProcessors();

/// Keeps the calling thread, and the threads and programs it starts from now on, to these processors; false where the
/// kernel will not. With an empty list it does nothing and returns true.
bool keepThreadTo(const std::vector<unsigned>& processors);

/// Problem, with `path`: a processor that this machine does not have, is off, or that the container's cpuset keeps from
/// this process. A mask set by taskset(1) is no hindrance. The calling thread moves for a moment. An empty list is
/// right.
Result<void> checkProcessors(const std::vector<unsigned>& processors, const std::string& path);

/// "0", "0-3,8": as cpuset(7) writes lists, ascending. Nothing for anything else.
std::string formatProcessors(const std::vector<unsigned>& processors);
std::optional<std::vector<unsigned>> parseProcessors(std::string_view list);

/// Keeps the calling thread, and what it starts meanwhile, off these processors; where nothing else would be left, it
/// stays where it is. Made and destroyed by one thread, which has its former processors back afterwards.
class ThreadKeptOff {
public:
    explicit ThreadKeptOff(const std::vector<unsigned>& processors);
    ~ThreadKeptOff();
    ThreadKeptOff(const ThreadKeptOff&) = delete;
    ThreadKeptOff& operator=(const ThreadKeptOff&) = delete;

private:
    std::vector<unsigned> m_before; ///< empty: nothing was changed
};

} // namespace lapbench
