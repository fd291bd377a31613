#pragma once

#include "core/base/owned_fd.h"
#include "core/base/result.h"

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

namespace lapbench {

/// What one worker waits on: its descriptors and a wake-up from other threads (epoll and an eventfd). Used by one
/// thread, except wake().
class Poller {
public:
    static Result<Poller> make();

    /// `events` as in epoll; `tag` comes back with them and is below kWakeTag. False, with errno, where that fails.
    bool add(int fd, std::uint32_t events, std::uint64_t tag);
    bool change(int fd, std::uint32_t events, std::uint64_t tag);
    void remove(int fd);

    /// Waits until something is ready or steadyNs() is `untilNs` (not at all where that has passed; on old kernels
    /// rounded up to milliseconds); a wake-up ends it too and is not among the events. They are valid until the next
    /// wait.
    std::span<const epoll_event> wait(std::int64_t nowNs, std::int64_t untilNs);

    /// Ends the current or next wait. Any thread.
    void wake() const;

private:
    static constexpr std::uint64_t kWakeTag = ~std::uint64_t{0};
    Poller(int epollFd, int wakeFd) : m_epollFd(epollFd), m_wakeFd(wakeFd) {}

    int waitFor(std::int64_t ns);

    bool m_finely = true; ///< the kernel can wait for less than a millisecond
    OwnedFd m_epollFd, m_wakeFd;
    std::array<epoll_event, 256> m_events{};
};

} // namespace lapbench
