#include "core/server/builtin_server_loop.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

namespace lapbench {

namespace {

constexpr std::size_t kBufferBytes = 64 << 10;
constexpr int kEventsAtOnce = 256;
constexpr int kAcceptsInARow = 64;

void closeIfOpen(int fd)
{
    if (fd >= 0)
        ::close(fd);
}

} // namespace

BuiltinLoop::BuiltinLoop(BuiltinShared& shared, std::size_t index)
    : m_shared(shared), m_index(index), m_buffer(kBufferBytes)
{}

BuiltinLoop::~BuiltinLoop()
{
    m_connections.clear();
    for (int fd; m_giveReadFd >= 0 && ::read(m_giveReadFd, &fd, sizeof fd) == sizeof fd;)
        ::close(fd);
    for (const int fd : {m_epollFd, m_timerFd, m_giveReadFd, m_giveWriteFd, m_spareFd})
        closeIfOpen(fd);
}

int BuiltinLoop::open()
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return errno;
    m_giveReadFd = pipe[0];
    m_giveWriteFd = pipe[1];
    m_epollFd = ::epoll_create1(EPOLL_CLOEXEC);
    m_timerFd = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    m_spareFd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (m_epollFd < 0 || m_timerFd < 0)
        return errno;
    for (const int fd : {m_giveReadFd, m_timerFd, m_shared.stopFd})
        if (const int error = watch(fd, EPOLLIN); error != 0)
            return error;
    return 0;
}

int BuiltinLoop::listenOn(int listenFd, std::vector<BuiltinLoop*> loops)
{
    m_listenFd = listenFd;
    m_dealTo = std::move(loops);
    return watch(listenFd, EPOLLIN);
}

int BuiltinLoop::watch(int fd, std::uint32_t events)
{
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    return ::epoll_ctl(m_epollFd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

void BuiltinLoop::deal(int fd)
{
    BuiltinLoop* const next = m_dealTo[m_turn++ % m_dealTo.size()];
    if (next == this || ::write(next->m_giveWriteFd, &fd, sizeof fd) != sizeof fd)
        adopt(fd);
}

void BuiltinLoop::run()
{
    std::array<epoll_event, kEventsAtOnce> events;
    for (;;) {
        armTimer();
        const int count = ::epoll_wait(m_epollFd, events.data(), kEventsAtOnce, m_again.empty() ? -1 : 0);
        refreshDate();
        for (int i = 0; i < count; ++i) {
            m_shared.waitOutStall();
            const int fd = events[static_cast<std::size_t>(i)].data.fd;
            if (fd == m_shared.stopFd)
                return;
            if (fd == m_listenFd)
                acceptSome();
            else if (fd == m_giveReadFd)
                adoptGiven();
            else if (fd == m_timerFd)
                runTimers();
            else if (BuiltinConnection* connection = connectionAt(fd))
                follow(fd, connection->onEvents(events[static_cast<std::size_t>(i)].events));
        }
        runAgain();
    }
}

BuiltinConnection* BuiltinLoop::connectionAt(int fd)
{
    const auto at = static_cast<std::size_t>(fd);
    return at < m_connections.size() ? m_connections[at].get() : nullptr;
}

void BuiltinLoop::acceptSome()
{
    for (int i = 0; i < kAcceptsInARow; ++i) {
        const int fd = ::accept4(m_listenFd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            deal(fd);
            continue;
        }
        if ((errno == EMFILE || errno == ENFILE) && m_spareFd >= 0) {
            ::close(m_spareFd);
            closeIfOpen(::accept4(m_listenFd, nullptr, nullptr, SOCK_CLOEXEC));
            m_spareFd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
            continue;
        }
        if (errno != EINTR && errno != ECONNABORTED)
            return;
    }
}

void BuiltinLoop::adoptGiven()
{
    for (int fd; ::read(m_giveReadFd, &fd, sizeof fd) == sizeof fd;)
        adopt(fd);
}

void BuiltinLoop::adopt(int fd)
{
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const auto at = static_cast<std::size_t>(fd);
    if (at >= m_connections.size())
        m_connections.resize(at + 64);
    m_connections[at] =
        std::make_unique<BuiltinConnection>(fd, m_nextId++, m_shared, m_shared.counters[m_index], m_common, m_buffer);
    if (watch(fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET) != 0)
        m_connections[at].reset();
}

void BuiltinLoop::follow(int fd, BuiltinConnection::Next next)
{
    BuiltinConnection& connection = *m_connections[static_cast<std::size_t>(fd)];
    if (const auto due = connection.takeDueTime())
        m_timers.push({*due, fd, connection.id()});
    if (next == BuiltinConnection::Next::close)
        m_connections[static_cast<std::size_t>(fd)].reset();
    else if (next == BuiltinConnection::Next::again)
        m_again.emplace_back(fd, connection.id());
}

void BuiltinLoop::runAgain()
{
    std::vector<std::pair<int, std::uint64_t>> now;
    now.swap(m_again);
    for (const auto& [fd, id] : now)
        if (BuiltinConnection* connection = connectionAt(fd); connection && connection->id() == id)
            follow(fd, connection->proceed());
}

void BuiltinLoop::runTimers()
{
    std::uint64_t ticks = 0;
    if (::read(m_timerFd, &ticks, sizeof ticks) < 0 && errno != EAGAIN)
        return;
    m_armedNs = 0;
    for (const std::int64_t now = steadyNs(); !m_timers.empty() && m_timers.top().dueNs <= now;) {
        const Timer timer = m_timers.top();
        m_timers.pop();
        if (BuiltinConnection* connection = connectionAt(timer.fd); connection && connection->id() == timer.id)
            follow(timer.fd, connection->onTimer());
    }
}

void BuiltinLoop::armTimer()
{
    if (m_timers.empty() || m_timers.top().dueNs == m_armedNs)
        return;
    m_armedNs = m_timers.top().dueNs;
    itimerspec when{};
    when.it_value.tv_sec = static_cast<std::time_t>(m_armedNs / 1'000'000'000);
    when.it_value.tv_nsec = static_cast<long>(m_armedNs % 1'000'000'000);
    ::timerfd_settime(m_timerFd, TFD_TIMER_ABSTIME, &when, nullptr);
}

void BuiltinLoop::refreshDate()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (now.tv_sec == m_dateSecond)
        return;
    m_dateSecond = now.tv_sec;
    std::tm parts{};
    ::gmtime_r(&now.tv_sec, &parts);
    // Not strftime: HTTP dates are English whatever the locale.
    static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::array<char, 96> text{};
    const int length = std::snprintf(
        text.data(), text.size(), "Server: lapbench\r\nDate: %s, %02d %s %d %02d:%02d:%02d GMT\r\n",
        kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday, kMonths[static_cast<std::size_t>(parts.tm_mon)],
        parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
    m_common.assign(text.data(), static_cast<std::size_t>(length));
}

} // namespace lapbench
