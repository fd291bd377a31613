#include "core/load/keep_alive_transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lapbench {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr int kReadsPerTurn = 16; // so that one endless answer cannot keep the worker from its clock
constexpr std::int64_t kExpireStepNs = 1'000'000;
constexpr std::uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

} // namespace

KeepAliveTransport::KeepAliveTransport(const WireTask& task, Poller& poller, TransportSink& sink)
    : m_task(task), m_poller(poller), m_sink(sink), m_connections(task.connections), m_buffer(kBufferBytes),
      m_cursor(task.script), m_known(task.script.kinds().size())
{
    // With a new connection for each request nobody may wait in the opener's line: that would count as latency.
    const unsigned openers = task.options.newConnections
                                 ? (task.connections + CurlDriver::kMostTransfers - 1) / CurlDriver::kMostTransfers
                                 : 1;
    for (unsigned i = 0; i < openers; ++i)
        m_openers.push_back(std::make_unique<CurlOpener>(poller, i, task.endpoint, task.options.connectTimeout));
}

KeepAliveTransport::~KeepAliveTransport()
{
    for (Connection& connection : m_connections)
        drop(connection);
}

CurlOpener& KeepAliveTransport::openerOf(unsigned slot)
{
    return *m_openers[m_task.options.newConnections ? slot / CurlDriver::kMostTransfers : 0];
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

void KeepAliveTransport::adopt(const CurlOpener::Outcome& outcome)
{
    Connection& connection = m_connections[outcome.slot];
    --m_asked;
    connection.asked = false;
    if (std::exchange(connection.stale, false) && m_task.options.newConnections) {
        if (outcome.fd >= 0)
            ::close(outcome.fd);
        if (connection.pending)
            askFor(outcome.slot);
        return;
    }
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
    if (!connection.pending && m_task.options.newConnections) {
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
    if (!connection.again && !m_task.options.newConnections)
        connection.startNs = steadyNs();
    send(outcome.slot);
}

void KeepAliveTransport::begin(Connection& connection)
{
    const RequestKind& kind = m_cursor.kind(connection.kind);
    connection.text.clear();
    connection.reader.begin(kind.head, kind.check.needsBody() ? &connection.text : nullptr, kMostCheckedBytes);
    connection.received = 0;
    connection.sent = 0;
    connection.size = 0;
    connection.head.clear();
}

void KeepAliveTransport::send(unsigned slot)
{
    Connection& connection = m_connections[slot];
    begin(connection);
    m_expireNs = std::min(m_expireNs, connection.startNs + m_task.options.timeout.count());
    const std::string_view message = m_cursor.message(connection.number);
    connection.size = message.size();
    const ssize_t sent = ::send(connection.fd, message.data(), message.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        lost(slot, errno, true);
        return;
    }
    connection.sent = sent > 0 ? static_cast<std::uint64_t>(sent) : 0;
    if (connection.sent < connection.size) [[unlikely]]
        connection.rest = message.substr(connection.sent);
}

void KeepAliveTransport::sendRest(unsigned slot)
{
    Connection& connection = m_connections[slot];
    const std::string_view rest =
        std::string_view(connection.rest).substr(connection.rest.size() - (connection.size - connection.sent));
    const ssize_t sent = ::send(connection.fd, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        lost(slot, errno, true);
    else if (sent > 0)
        connection.sent += static_cast<std::uint64_t>(sent);
}

void KeepAliveTransport::onEvent(unsigned slot, std::uint32_t events)
{
    Connection& connection = m_connections[slot];
    if (connection.pending && connection.sent < connection.size && (events & EPOLLOUT) != 0) {
        sendRest(slot);
        if (connection.fd < 0)
            return;
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
    const ResponseReader::Progress progress = connection.reader.feed(m_known[connection.kind], m_buffer.data(), size);
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
    const bool keep = connection.reader.keepAlive() && !connection.closing && !m_task.options.newConnections &&
                      connection.sent == connection.size;
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
    sample.kind = connection.kind;
    sample.text = connection.text;
    connection.pending = false;
    if (const auto next = m_sink.finished(slot, sample))
        start(slot, *next, sample.endNs);
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
        if (connection.pending && (connection.fd >= 0 || connection.again || m_task.options.newConnections))
            open.push_back({slot, connection.startNs});
    }
    return open;
}

} // namespace lapbench
