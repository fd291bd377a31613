#include "core/load/poller.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace lapbench {

Result<Poller> Poller::make()
{
    Poller poller(epoll_create1(EPOLL_CLOEXEC), eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!poller.m_epollFd.open() || !poller.m_wakeFd.open() || !poller.add(poller.m_wakeFd.get(), EPOLLIN, kWakeTag))
        return Problem{"", std::string("no worker can be set up: ") + std::strerror(errno),
                       "raise the limit of open files (ulimit -n)"};
    return Result<Poller>(std::move(poller));
}

bool Poller::add(int fd, std::uint32_t events, std::uint64_t tag)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = tag;
    return epoll_ctl(m_epollFd.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

bool Poller::change(int fd, std::uint32_t events, std::uint64_t tag)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = tag;
    return epoll_ctl(m_epollFd.get(), EPOLL_CTL_MOD, fd, &event) == 0;
}

void Poller::remove(int fd)
{
    epoll_ctl(m_epollFd.get(), EPOLL_CTL_DEL, fd, nullptr);
}

std::span<const epoll_event> Poller::wait(std::int64_t nowNs, std::int64_t untilNs)
{
    constexpr std::int64_t kLongestMs = 60'000;
    int timeoutMs = 0;
    if (untilNs > nowNs)
        timeoutMs = static_cast<int>(std::min(kLongestMs, (untilNs - nowNs - 1) / 1'000'000 + 1));
    const int got = epoll_wait(m_epollFd.get(), m_events.data(), static_cast<int>(m_events.size()), timeoutMs);
    auto count = static_cast<std::size_t>(std::max(0, got));
    for (std::size_t i = 0; i < count; ++i) {
        if (m_events[i].data.u64 != kWakeTag)
            continue;
        std::uint64_t wakes = 0;
        [[maybe_unused]] const ssize_t read = ::read(m_wakeFd.get(), &wakes, sizeof wakes);
        m_events[i] = m_events[--count];
        --i;
    }
    return {m_events.data(), count};
}

void Poller::wake() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wakeFd.get(), &one, sizeof one);
}

} // namespace lapbench
