#include "core/load/keep_alive_transport.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

// One exchange on a connection that is there: the request out, the answer in.

namespace lapbench {

namespace {

// So that one endless answer or body cannot keep the worker from its clock.
constexpr int kReadsPerTurn = 16, kWritesPerTurn = 16;

} // namespace

ssize_t KeepAliveTransport::write(const Connection& connection, std::string_view bytes)
{
    return connection.tls == nullptr ? ::send(connection.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL)
                                     : connection.tls->send(bytes.data(), bytes.size());
}

ssize_t KeepAliveTransport::read(const Connection& connection)
{
    return connection.tls == nullptr ? ::recv(connection.fd, m_buffer.data(), m_buffer.size(), 0)
                                     : connection.tls->recv(m_buffer.data(), m_buffer.size());
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
    const ssize_t sent = write(connection, message);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        lost(slot, errno, true);
        return;
    }
    connection.sent = sent > 0 ? static_cast<std::uint64_t>(sent) : 0;
    if (connection.sent < connection.size) [[unlikely]] {
        // A constant request stays as it is; any other is made anew in the same room for the next connection.
        const bool stays = m_cursor.kind(connection.kind).constant;
        if (!stays)
            connection.rendered = message;
        connection.message = stays ? message : std::string_view(connection.rendered);
        if (sent > 0)
            sendRest(slot);
    }
}

void KeepAliveTransport::sendRest(unsigned slot)
{
    Connection& connection = m_connections[slot];
    // Edge-triggered: only a full socket tells of room. TLS takes a record at a time, whatever room there is.
    for (int turn = 0; turn < kWritesPerTurn && connection.sent < connection.size; ++turn) {
        const ssize_t sent = write(connection, connection.message.substr(connection.sent));
        if (sent < 0) {
            if (errno != EAGAIN && errno != EINTR)
                lost(slot, errno, true);
            return;
        }
        connection.sent += static_cast<std::uint64_t>(sent);
    }
    if (connection.sent < connection.size)
        m_unfinished.push_back(slot);
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
        const ssize_t got = read(connection);
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
        // Edge-triggered: a short read has emptied the socket, and what comes later is a new event. TLS hands out a
        // record at a time, and may hold the next one already.
        const bool readingOn = connection.pending && connection.fd == before && connection.received != 0;
        const bool emptied = static_cast<std::size_t>(got) < m_buffer.size() && connection.tls == nullptr;
        if (!readingOn || (emptied && !connection.closing))
            return;
    }
    m_unfinished.push_back(slot);
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
    const std::string fault = error == EPROTO && connection.tls != nullptr ? connection.tls->fault() : std::string();
    drop(connection);
    if (!connection.pending)
        return;
    const bool untouched = !connection.reader.started();
    const bool closed = error == 0 || error == ENODATA;
    if (untouched && connection.served && (closed || error == ECONNRESET || error == EPIPE)) {
        connection.again = true;
        askFor(slot);
        return;
    }
    if (error == 0 && connection.reader.close() == ResponseReader::Progress::done) {
        finish(slot, nullptr, connection.head);
        return;
    }
    Failure failure;
    failure.kind = error == EPROTO            ? ErrorKind::tls
                   : closed || error == EPIPE ? ErrorKind::closedEarly
                                              : ErrorKind::reset;
    failure.phase = connection.reader.headDone() ? Phase::readBody : whileSending ? Phase::send : Phase::waitHead;
    if (!fault.empty())
        failure.message = fault;
    else if (!closed)
        failure.message = std::strerror(error);
    else
        failure.message = std::string("the server closed the connection ") +
                          (untouched ? "without an answer" : "in the middle of the answer");
    fail(slot, failure);
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

} // namespace lapbench
