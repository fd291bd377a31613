#include "core/load/poller.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

// glibc has it from 2.35 on.
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
#define LAPBENCH_HAS_EPOLL_PWAIT2 1
#else
#define LAPBENCH_HAS_EPOLL_PWAIT2 0
#endif

namespace lapbench {

namespace {
constexpr std::int64_t kLongestNs = 60'000'000'000;
}

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
    const int got = waitFor(untilNs > nowNs ? std::min(kLongestNs, untilNs - nowNs) : 0);
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

int Poller::waitFor(std::int64_t ns)
{
    const auto most = static_cast<int>(m_events.size());
    if (ns == 0)
        return epoll_wait(m_epollFd.get(), m_events.data(), most, 0);
#if LAPBENCH_HAS_EPOLL_PWAIT2
    if (m_finely) {
        const timespec time{ns / 1'000'000'000, ns % 1'000'000'000};
        const int got = epoll_pwait2(m_epollFd.get(), m_events.data(), most, &time, nullptr);
        if (got >= 0 || errno != ENOSYS)
            return got;
        m_finely = false; // a kernel before 5.11
    }
#endif
    return epoll_wait(m_epollFd.get(), m_events.data(), most, static_cast<int>((ns - 1) / 1'000'000 + 1));
}

void Poller::wake() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wakeFd.get(), &one, sizeof one);
}

} // namespace lapbench
