#include "core/load/keep_alive_transport.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lapbench {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr std::int64_t kExpireStepNs = 1'000'000;
constexpr std::uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

} // namespace

KeepAliveTransport::KeepAliveTransport(const WireTask& task, Poller& poller, TransportSink& sink)
    : m_task(task), m_poller(poller), m_sink(sink), m_setup(task), m_connections(task.connections),
      m_buffer(kBufferBytes), m_cursor(task.script), m_known(task.script.kinds().size())
{
    // With a new connection for each request nobody may wait in the opener's line: that would count as latency.
    const bool line = !task.options.newConnections;
    const unsigned most = line ? CurlDriver::kMostTransfers : task.connections;
    const unsigned openers = task.endpoint.secure || line ? 1 : (most - 1) / CurlDriver::kMostTransfers + 1;
    for (unsigned i = 0; i < openers; ++i)
        m_openers.push_back(makeOpener(poller, m_sockets, i, m_setup, most));
}

KeepAliveTransport::~KeepAliveTransport()
{
    for (Connection& connection : m_connections)
        drop(connection);
}

Opener& KeepAliveTransport::openerOf(unsigned slot)
{
    return *m_openers[m_openers.size() == 1 ? 0 : slot / CurlDriver::kMostTransfers];
}

unsigned KeepAliveTransport::openAhead()
{
    const unsigned slots = m_task.options.newConnections ? 1 : m_task.connections;
    for (unsigned slot = 0; slot < slots; ++slot)
        askFor(slot);
    return slots;
}

void KeepAliveTransport::askFor(unsigned slot)
{
    if (std::exchange(m_connections[slot].asked, true))
        return;
    ++m_asked;
    openerOf(slot).ask(slot);
}

void KeepAliveTransport::start(unsigned slot, std::uint64_t number, std::int64_t nowNs)
{
    Connection& connection = m_connections[slot];
    connection.number = number;
    connection.kind = m_cursor.kindOf(number);
    connection.pending = true;
    connection.again = false;
    connection.startNs = nowNs;
    if (connection.fd >= 0) {
        send(slot);
        return;
    }
    // Where no connection comes, the failure must not tell of the exchange before.
    begin(connection);
    m_expireNs = std::min(m_expireNs, nowNs + m_task.options.timeout.count());
    askFor(slot);
}

void KeepAliveTransport::closeUnused(const Opened& opened) const
{
    if (opened.tls != nullptr)
        opened.tls->close();
    else if (opened.fd >= 0)
        ::close(opened.fd);
}

void KeepAliveTransport::adopt(const Opened& opened)
{
    Connection& connection = m_connections[opened.slot];
    --m_asked;
    connection.asked = false;
    if (std::exchange(connection.stale, false) && m_task.options.newConnections) {
        closeUnused(opened);
        if (connection.pending)
            askFor(opened.slot);
        return;
    }
    if (opened.failure) {
        if (connection.pending)
            fail(opened.slot, *opened.failure);
        else
            m_sink.openFailed(opened.slot, *opened.failure);
        return;
    }
    connection.fd = opened.fd;
    connection.tls = opened.tls;
    connection.served = false;
    connection.closing = false;
    m_peakOpen = std::max(m_peakOpen, ++m_open);
    if (!connection.pending && m_task.options.newConnections) {
        drop(connection);
        m_sink.reachable();
        return;
    }
    m_sink.opened(opened.slot, opened.connectNs, std::exchange(connection.everOpened, true));
    if (!m_poller.add(connection.fd, kEvents, opened.slot)) {
        const Failure failure{ErrorKind::clientLimit, Phase::connect, std::strerror(errno)};
        drop(connection);
        if (connection.pending)
            fail(opened.slot, failure);
        else
            m_sink.openFailed(opened.slot, failure);
        return;
    }
    if (!connection.pending)
        return;
    if (!connection.again && !m_task.options.newConnections)
        connection.startNs = steadyNs();
    send(opened.slot);
}

void KeepAliveTransport::drop(Connection& connection)
{
    if (connection.fd < 0)
        return;
    if (connection.tls != nullptr)
        std::exchange(connection.tls, nullptr)->close();
    else
        ::close(connection.fd);
    connection.fd = -1;
    --m_open;
}

void KeepAliveTransport::expire(std::int64_t nowNs)
{
    const std::int64_t timeout = m_task.options.timeout.count();
    m_expireNs = std::numeric_limits<std::int64_t>::max();
    for (unsigned slot = 0; slot < m_connections.size(); ++slot) {
        Connection& connection = m_connections[slot];
        // Before it is sent, only the connect timeout runs; once it was, or was to go on a connection of its own, both
        // do.
        const bool counts = connection.fd >= 0 || connection.again || m_task.options.newConnections;
        if (!connection.pending || !counts)
            continue;
        if (nowNs - connection.startNs < timeout) {
            m_expireNs = std::min(m_expireNs, connection.startNs + timeout);
            continue;
        }
        const bool sentAll = connection.sent == connection.size;
        const Phase phase = connection.fd < 0              ? Phase::connect
                            : connection.reader.headDone() ? Phase::readBody
                            : sentAll                      ? Phase::waitHead
                                                           : Phase::send;
        connection.stale = connection.asked;
        drop(connection);
        fail(slot, {ErrorKind::timeout, phase, "no complete answer within the timeout"});
    }
    m_expireNs = std::max(m_expireNs, nowNs + kExpireStepNs);
}

void KeepAliveTransport::runOpeners()
{
    const std::int64_t nowNs = steadyNs();
    for (const auto& opener : m_openers) {
        if (nowNs >= opener->dueNs())
            opener->onTime(nowNs);
        for (const Opened& opened : opener->collect())
            adopt(opened);
    }
}

void KeepAliveTransport::poll(std::int64_t untilNs)
{
    const std::int64_t nowNs = steadyNs();
    if (nowNs >= m_expireNs)
        expire(nowNs);
    std::int64_t until = std::min(untilNs, m_expireNs);
    if (m_asked != 0)
        for (const auto& opener : m_openers)
            until = std::min(until, opener->dueNs());
    if (!m_unfinished.empty())
        until = nowNs;

    for (const epoll_event& event : m_poller.wait(nowNs, until)) {
        if (CurlDriver::owns(event.data.u64))
            m_openers[m_openers.size() == 1 ? 0 : CurlDriver::indexOf(event.data.u64)]->onSocket(event);
        else if (const auto slot = static_cast<unsigned>(event.data.u64); m_connections[slot].fd >= 0)
            onEvent(slot, event.events);
    }
    std::vector<unsigned> unfinished;
    unfinished.swap(m_unfinished);
    for (const unsigned slot : unfinished)
        if (m_connections[slot].fd >= 0)
            onEvent(slot, EPOLLIN | EPOLLOUT);
    if (m_asked != 0)
        runOpeners();
}

std::vector<OpenRequest> KeepAliveTransport::openRequests() const
{
    std::vector<OpenRequest> open;
    for (unsigned slot = 0; slot < m_connections.size(); ++slot) {
        const Connection& connection = m_connections[slot];
        if (connection.pending && (connection.fd >= 0 || connection.again || m_task.options.newConnections))
            open.push_back({slot, connection.startNs});
    }
    return open;
}

} // namespace lapbench
