#include "core/load/keep_alive_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lapbench {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr int kReadsPerTurn = 16; // so that one endless answer cannot keep the worker from its clock
constexpr std::int64_t kExpireStepNs = 1'000'000;
constexpr std::uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

} // namespace

KeepAliveTransport::KeepAliveTransport(const WireTask& task, Poller& poller, TransportSink& sink)
    : m_task(task), m_poller(poller), m_sink(sink), m_connections(task.connections), m_buffer(kBufferBytes)
{
    // With a new connection for each request nobody may wait in the opener's line: that would count as latency.
    const unsigned openers =
        task.newConnections ? (task.connections + CurlDriver::kMostTransfers - 1) / CurlDriver::kMostTransfers : 1;
    for (unsigned i = 0; i < openers; ++i)
        m_openers.push_back(std::make_unique<CurlOpener>(poller, i, task.endpoint, task.connectTimeout));
}

KeepAliveTransport::~KeepAliveTransport()
{
    for (Connection& connection : m_connections)
        drop(connection);
}

CurlOpener& KeepAliveTransport::openerOf(unsigned slot)
{
    return *m_openers[m_task.newConnections ? slot / CurlDriver::kMostTransfers : 0];
}

unsigned KeepAliveTransport::openAhead()
{
    const unsigned slots = m_task.newConnections ? 1 : m_task.connections;
    for (unsigned slot = 0; slot < slots; ++slot)
        askFor(slot);
    return slots;
}

void KeepAliveTransport::askFor(unsigned slot)
{
    ++m_asked;
    openerOf(slot).ask(slot);
}

void KeepAliveTransport::start(unsigned slot, std::int64_t nowNs)
{
    Connection& connection = m_connections[slot];
    connection.pending = true;
    connection.again = false;
    connection.startNs = nowNs;
    if (connection.fd >= 0) {
        send(slot);
        return;
    }
    // Where no connection comes, the failure must not tell of the exchange before.
    connection.begin(m_task.request.isHead());
    askFor(slot);
}

void KeepAliveTransport::adopt(const CurlOpener::Outcome& outcome)
{
    Connection& connection = m_connections[outcome.slot];
    --m_asked;
    if (outcome.failure) {
        if (connection.pending)
            fail(outcome.slot, *outcome.failure);
        else
            m_sink.openFailed(outcome.slot, *outcome.failure);
        return;
    }
    connection.fd = outcome.fd;
    connection.served = false;
    connection.closing = false;
    m_peakOpen = std::max(m_peakOpen, ++m_open);
    if (!connection.pending && m_task.newConnections) {
        drop(connection);
        m_sink.reachable();
        return;
    }
    m_sink.opened(outcome.slot, outcome.connectNs);
    if (!m_poller.add(connection.fd, kEvents, outcome.slot)) {
        const Failure failure{ErrorKind::clientLimit, Phase::connect, std::strerror(errno)};
        drop(connection);
        if (connection.pending)
            fail(outcome.slot, failure);
        else
            m_sink.openFailed(outcome.slot, failure);
        return;
    }
    if (!connection.pending)
        return;
    if (!connection.again && !m_task.newConnections)
        connection.startNs = steadyNs();
    send(outcome.slot);
}

void KeepAliveTransport::send(unsigned slot)
{
    Connection& connection = m_connections[slot];
    connection.begin(m_task.request.isHead());
    m_expireNs = std::min(m_expireNs, connection.startNs + m_task.timeout.count());
    onEvent(slot, EPOLLOUT);
}

void KeepAliveTransport::onEvent(unsigned slot, std::uint32_t events)
{
    Connection& connection = m_connections[slot];
    const std::string& request = m_task.request.bytes;
    if (connection.pending && connection.sent < request.size() && (events & EPOLLOUT) != 0) {
        const ssize_t sent =
            ::send(connection.fd, request.data() + connection.sent, request.size() - connection.sent, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            lost(slot, errno, true);
            return;
        }
        if (sent > 0)
            connection.sent += static_cast<std::uint32_t>(sent);
    }
    if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
        connection.closing = true;
    if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
        receive(slot);
}

void KeepAliveTransport::receive(unsigned slot)
{
    Connection& connection = m_connections[slot];
    for (int turn = 0; turn < kReadsPerTurn; ++turn) {
        const ssize_t got = ::recv(connection.fd, m_buffer.data(), m_buffer.size(), 0);
        if (got < 0) {
            if (errno != EAGAIN && errno != EINTR)
                lost(slot, errno, false);
            return;
        }
        if (got == 0) {
            lost(slot, 0, false);
            return;
        }
        if (!connection.pending) {
            drop(connection); // nobody asked for anything
            return;
        }
        const int before = connection.fd;
        take(slot, static_cast<std::size_t>(got));
        // Edge-triggered: a short read has emptied the socket, and what comes later is a new event.
        const bool readingOn = connection.pending && connection.fd == before && connection.received != 0;
        if (!readingOn || (static_cast<std::size_t>(got) < m_buffer.size() && !connection.closing))
            return;
    }
    m_unread.push_back(slot);
}

void KeepAliveTransport::take(unsigned slot, std::size_t size)
{
    Connection& connection = m_connections[slot];
    const ResponseReader::Progress progress = connection.reader.feed(m_known, m_buffer.data(), size);
    connection.received += size;
    const bool inPieces = !connection.head.empty() || progress == ResponseReader::Progress::more;
    if (inPieces && connection.head.size() < kHeadSampleBytes)
        connection.head.append(m_buffer.data(), std::min(size, kHeadSampleBytes - connection.head.size()));

    const auto refuse = [&](const Failure& failure) {
        if (!inPieces)
            connection.head.assign(m_buffer.data(), std::min(size, kHeadSampleBytes));
        drop(connection);
        fail(slot, failure);
    };
    switch (progress) {
    case ResponseReader::Progress::more:
        return;
    case ResponseReader::Progress::malformed:
        refuse({ErrorKind::malformed, connection.reader.headDone() ? Phase::readBody : Phase::waitHead,
                connection.reader.reason()});
        return;
    case ResponseReader::Progress::tooLarge:
        refuse({ErrorKind::tooLarge, Phase::waitHead, "the head of the answer has more than 256 KB"});
        return;
    case ResponseReader::Progress::done:
        break;
    }
    if (connection.reader.leftover() != 0) {
        refuse({ErrorKind::malformed, Phase::readBody, "more bytes follow the end of the answer"});
        return;
    }
    const bool keep = connection.reader.keepAlive() && !connection.closing && !m_task.newConnections &&
                      connection.sent == m_task.request.bytes.size();
    if (!keep)
        drop(connection);
    connection.served = true;
    finish(slot, nullptr,
           inPieces ? std::string_view(connection.head)
                    : std::string_view(m_buffer.data(), std::min(size, kHeadSampleBytes)));
}

void KeepAliveTransport::lost(unsigned slot, int error, bool whileSending)
{
    Connection& connection = m_connections[slot];
    drop(connection);
    if (!connection.pending)
        return;
    const bool untouched = !connection.reader.started();
    if (untouched && connection.served && (error == 0 || error == ECONNRESET || error == EPIPE)) {
        connection.again = true;
        askFor(slot);
        return;
    }
    if (error == 0 && connection.reader.close() == ResponseReader::Progress::done) {
        finish(slot, nullptr, connection.head);
        return;
    }
    Failure failure;
    failure.kind = error == 0 || error == EPIPE ? ErrorKind::closedEarly : ErrorKind::reset;
    failure.phase = connection.reader.headDone() ? Phase::readBody : whileSending ? Phase::send : Phase::waitHead;
    failure.message = error != 0 ? std::strerror(error)
                                 : std::string("the server closed the connection ") +
                                       (untouched ? "without an answer" : "in the middle of the answer");
    fail(slot, failure);
}

void KeepAliveTransport::drop(Connection& connection)
{
    if (connection.fd < 0)
        return;
    ::close(connection.fd);
    connection.fd = -1;
    --m_open;
}

void KeepAliveTransport::fail(unsigned slot, const Failure& failure)
{
    finish(slot, &failure, m_connections[slot].received != 0 ? m_connections[slot].head : std::string_view());
}

void KeepAliveTransport::finish(unsigned slot, const Failure* failure, std::string_view head)
{
    Connection& connection = m_connections[slot];
    Sample sample;
    sample.failure = failure;
    sample.head = head;
    sample.startNs = connection.startNs;
    sample.endNs = steadyNs();
    sample.received = connection.received;
    sample.sent = connection.sent;
    sample.body = connection.reader.bodyBytes();
    sample.status = connection.reader.headDone() ? connection.reader.status() : 0;
    connection.pending = false;
    if (m_sink.finished(slot, sample))
        start(slot, sample.endNs);
}

void KeepAliveTransport::expire(std::int64_t nowNs)
{
    const std::int64_t timeout = m_task.timeout.count();
    m_expireNs = std::numeric_limits<std::int64_t>::max();
    for (unsigned slot = 0; slot < m_connections.size(); ++slot) {
        Connection& connection = m_connections[slot];
        if (!connection.pending || connection.fd < 0)
            continue;
        if (nowNs - connection.startNs < timeout) {
            m_expireNs = std::min(m_expireNs, connection.startNs + timeout);
            continue;
        }
        const bool sentAll = connection.sent == m_task.request.bytes.size();
        const Phase phase = connection.reader.headDone() ? Phase::readBody : sentAll ? Phase::waitHead : Phase::send;
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
            opener->onTime();
        for (const CurlOpener::Outcome& outcome : opener->collect())
            adopt(outcome);
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
    if (!m_unread.empty())
        until = nowNs;

    for (const epoll_event& event : m_poller.wait(nowNs, until)) {
        if (CurlDriver::owns(event.data.u64))
            m_openers[CurlDriver::indexOf(event.data.u64)]->onSocket(event);
        else if (const auto slot = static_cast<unsigned>(event.data.u64); m_connections[slot].fd >= 0)
            onEvent(slot, event.events);
    }
    std::vector<unsigned> unread;
    unread.swap(m_unread);
    for (const unsigned slot : unread)
        if (m_connections[slot].fd >= 0)
            receive(slot);
    if (m_asked != 0)
        runOpeners();
}

std::vector<OpenRequest> KeepAliveTransport::openRequests() const
{
    std::vector<OpenRequest> open;
    for (unsigned slot = 0; slot < m_connections.size(); ++slot) {
        const Connection& connection = m_connections[slot];
        if (connection.pending && (connection.fd >= 0 || connection.again || m_task.newConnections))
            open.push_back({slot, connection.startNs});
    }
    return open;
}

} // namespace lapbench
