#include "core/server/builtin_server_connection.h"

#include <poll.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace lapbench {

namespace {

constexpr std::size_t kMaxTarget = 8 << 10;
constexpr std::size_t kMaxHead = 64 << 10;
constexpr std::size_t kOutFull = 64 << 10; ///< above this, send before answering more
constexpr std::uint64_t kFillPiece = 64 << 10;
constexpr std::size_t kKeptCapacity = 1 << 20;
constexpr int kTurnsInARow = 32;
constexpr std::uint64_t kMaxDrained = 4 << 20;
constexpr Nanoseconds kMaxDrainTime = std::chrono::seconds(1);

} // namespace

std::uint64_t BuiltinShared::answered() const
{
    std::uint64_t sum = 0;
    for (const Counter& counter : counters)
        sum += counter.answered.load(std::memory_order_acquire);
    return sum;
}

void BuiltinShared::stallFor(Nanoseconds time)
{
    const std::int64_t until = steadyNs() + time.count();
    std::int64_t known = stallUntilNs.load();
    while (known < until && !stallUntilNs.compare_exchange_weak(known, until)) {
    }
}

void BuiltinShared::waitOutStall() const
{
    for (;;) {
        const std::int64_t leftNs = stallUntilNs.load(std::memory_order_acquire) - steadyNs();
        if (leftNs <= 0)
            return;
        pollfd stop{stopFd, POLLIN, 0};
        const timespec wait{static_cast<time_t>(leftNs / 1'000'000'000), static_cast<long>(leftNs % 1'000'000'000)};
        if (::ppoll(&stop, 1, &wait, nullptr) > 0)
            return;
    }
}

struct BuiltinConnection::Callbacks {
    static BuiltinConnection& of(llhttp_t* parser) { return *static_cast<BuiltinConnection*>(parser->data); }

    static int refuse(BuiltinConnection& connection, int status)
    {
        connection.m_refusal = status;
        return HPE_USER;
    }

    static int onBegin(llhttp_t* parser)
    {
        BuiltinConnection& c = of(parser);
        c.m_request.target.clear();
        c.m_request.body.clear();
        c.m_headBytes = 0;
        c.m_bodyBytes = 0;
        c.m_headerField.clear();
        c.m_expect.clear();
        return 0;
    }

    static int onUrl(llhttp_t* parser, const char* at, std::size_t length)
    {
        BuiltinConnection& c = of(parser);
        c.m_request.target.append(at, length);
        return c.m_request.target.size() > kMaxTarget ? refuse(c, 414) : 0;
    }

    static int onField(llhttp_t* parser, const char* at, std::size_t length)
    {
        BuiltinConnection& c = of(parser);
        c.m_headBytes += length;
        if (c.m_headBytes > kMaxHead)
            return refuse(c, 431);
        c.m_headerField.append(at, length);
        return 0;
    }

    static int onValue(llhttp_t* parser, const char* at, std::size_t length)
    {
        BuiltinConnection& c = of(parser);
        c.m_headBytes += length;
        if (c.m_headBytes > kMaxHead)
            return refuse(c, 431);
        if (c.m_headerField.size() == 6 && ::strcasecmp(c.m_headerField.c_str(), "expect") == 0)
            c.m_expect.append(at, length);
        return 0;
    }

    static int onValueComplete(llhttp_t* parser)
    {
        of(parser).m_headerField.clear();
        return 0;
    }

    static int onHeadersComplete(llhttp_t* parser)
    {
        BuiltinConnection& c = of(parser);
        if (parser->method == HTTP_CONNECT)
            return refuse(c, 405);
        // An offered upgrade is declined by answering in HTTP/1.1.
        parser->upgrade = 0;
        if ((parser->flags & F_CONTENT_LENGTH) != 0 && parser->content_length > kBuiltinMaxRequestBody)
            return refuse(c, 413);
        if (::strcasecmp(c.m_expect.c_str(), "100-continue") == 0)
            c.m_out += "HTTP/1.1 100 Continue\r\n\r\n";
        return 0;
    }

    static int onBody(llhttp_t* parser, const char* at, std::size_t length)
    {
        BuiltinConnection& c = of(parser);
        c.m_bodyBytes += length;
        if (c.m_bodyBytes > kBuiltinMaxRequestBody)
            return refuse(c, 413);
        if (wantsBody(c.m_request.target))
            c.m_request.body.append(at, length);
        return 0;
    }

    static int onComplete(llhttp_t* parser)
    {
        BuiltinConnection& c = of(parser);
        c.m_request.head = parser->method == HTTP_HEAD;
        c.m_request.keepAlive = llhttp_should_keep_alive(parser) != 0;
        c.m_request.version10 = parser->http_major == 1 && parser->http_minor == 0;
        // The answer decides whether the next request may be read at all.
        return HPE_PAUSED;
    }

    static const llhttp_settings_t& table()
    {
        static const llhttp_settings_t settings = [] {
            llhttp_settings_t s;
            llhttp_settings_init(&s);
            s.on_message_begin = onBegin;
            s.on_url = onUrl;
            s.on_header_field = onField;
            s.on_header_value = onValue;
            s.on_header_value_complete = onValueComplete;
            s.on_headers_complete = onHeadersComplete;
            s.on_body = onBody;
            s.on_message_complete = onComplete;
            return s;
        }();
        return settings;
    }
};

BuiltinConnection::BuiltinConnection(int fd, std::uint64_t id, BuiltinShared& shared, BuiltinShared::Counter& counter,
                                     const std::string& common, std::vector<char>& buffer)
    : m_fd(fd), m_id(id), m_shared(shared), m_counter(counter), m_common(common), m_buffer(buffer)
{
    llhttp_init(&m_parser, HTTP_REQUEST, &Callbacks::table());
    m_parser.data = this;
}

BuiltinConnection::~BuiltinConnection()
{
    ::close(m_fd);
}

BuiltinConnection::Next BuiltinConnection::onEvents(std::uint32_t events)
{
    if ((events & (EPOLLHUP | EPOLLERR)) != 0)
        return Next::close;
    if ((events & (EPOLLIN | EPOLLRDHUP)) != 0)
        m_readable = true;
    if ((events & EPOLLRDHUP) != 0)
        m_hungUp = true;
    return proceed();
}

BuiltinConnection::Next BuiltinConnection::onTimer()
{
    if (m_draining)
        return Next::close;
    if (m_waiting) {
        m_waiting = false;
        sendAnswer();
    }
    return proceed();
}

std::optional<std::int64_t> BuiltinConnection::takeDueTime()
{
    const auto due = m_dueNs;
    m_dueNs.reset();
    return due;
}

BuiltinConnection::Next BuiltinConnection::proceed()
{
    for (int turns = 0;; ++turns) {
        if (m_draining)
            return drain();
        if (turns > kTurnsInARow)
            return Next::again;
        if (hasUnsent()) {
            if (!flush())
                return Next::close;
            if (hasUnsent())
                return Next::wait;
        }
        if (m_fillLeft > 0) {
            makeFill();
            continue;
        }
        if (m_waiting)
            return Next::wait;
        if (m_closeAfter) {
            if (!m_drainAfter)
                return Next::close;
            beginDrain();
            continue;
        }
        if (m_parsed < m_input.size()) {
            const std::string input = std::move(m_input);
            const std::size_t from = m_parsed;
            m_input.clear();
            m_parsed = 0;
            parse(input.data() + from, input.size() - from);
            continue;
        }
        if (m_ended)
            return Next::close;
        if (!m_readable)
            return Next::wait;
        if (!receive())
            return Next::close;
    }
}

bool BuiltinConnection::receive()
{
    const ssize_t got = ::recv(m_fd, m_buffer.data(), m_buffer.size(), 0);
    if (got < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            m_readable = false;
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }
    if (got == 0) {
        m_ended = true;
        return true;
    }
    // A short read has emptied the socket; the end of the stream alone brings no further event.
    if (static_cast<std::size_t>(got) < m_buffer.size() && !m_hungUp)
        m_readable = false;
    parse(m_buffer.data(), static_cast<std::size_t>(got));
    return true;
}

void BuiltinConnection::parse(const char* data, std::size_t size)
{
    while (size > 0 && !m_closeAfter && !m_waiting && m_fillLeft == 0 && m_out.size() < kOutFull) {
        const std::size_t used = parseOne(data, size);
        data += used;
        size -= used;
    }
    if (size > 0 && !m_closeAfter)
        m_input.append(data, size);
}

std::size_t BuiltinConnection::parseOne(const char* data, std::size_t size)
{
    const llhttp_errno_t error = llhttp_execute(&m_parser, data, size);
    if (error == HPE_OK)
        return size;
    if (error != HPE_PAUSED) {
        refuse(m_refusal != 0 ? m_refusal : 400);
        return size;
    }
    const auto used = static_cast<std::size_t>(llhttp_get_error_pos(&m_parser) - data);
    llhttp_resume(&m_parser);
    respond();
    return used;
}

void BuiltinConnection::respond()
{
    m_answer = answerTo(m_request, m_shared.answered());
    if (m_answer.stall > Nanoseconds::zero()) {
        m_shared.stallFor(m_answer.stall);
        m_shared.waitOutStall();
    }
    if (m_answer.delay > Nanoseconds::zero()) {
        m_waiting = true;
        m_dueNs = steadyNs() + m_answer.delay.count();
        return;
    }
    sendAnswer();
}

void BuiltinConnection::sendAnswer()
{
    // Counted before it can reach the client, so that a client that has its answer finds it counted.
    if (m_answer.counted)
        m_counter.answered.store(m_counter.answered.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    appendHead(m_out, m_answer, m_request, m_common);
    m_closeAfter = m_answer.close || !m_request.keepAlive;
    if (m_request.head)
        return;
    if (m_answer.fill > 0 || m_answer.chunked) {
        m_fillLeft = m_answer.fill;
        m_fillChunked = m_answer.chunked;
        makeFill();
    } else {
        m_out += m_answer.body;
    }
}

void BuiltinConnection::makeFill()
{
    const std::uint64_t piece = std::min(m_fillLeft, kFillPiece);
    m_fillLeft -= piece;
    if (!m_fillChunked) {
        appendFill(m_out, piece);
        return;
    }
    if (piece > 0) {
        char hex[16];
        const auto [end, error] = std::to_chars(hex, hex + sizeof hex, piece, 16);
        m_out.append(hex, end);
        m_out += "\r\n";
        appendFill(m_out, piece);
        m_out += "\r\n";
    }
    if (m_fillLeft == 0)
        m_out += "0\r\n\r\n";
}

void BuiltinConnection::refuse(int status)
{
    m_request = BuiltinRequest{};
    m_request.target = "/status/" + std::to_string(status);
    m_answer = answerTo(m_request, 0);
    m_answer.close = true;
    sendAnswer();
    m_drainAfter = true;
}

bool BuiltinConnection::flush()
{
    while (hasUnsent()) {
        const ssize_t sent = ::send(m_fd, m_out.data() + m_sent, m_out.size() - m_sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        m_sent += static_cast<std::size_t>(sent);
    }
    m_sent = 0;
    if (m_out.capacity() > kKeptCapacity)
        std::string().swap(m_out);
    else
        m_out.clear();
    return true;
}

void BuiltinConnection::beginDrain()
{
    ::shutdown(m_fd, SHUT_WR);
    m_draining = true;
    m_dueNs = steadyNs() + kMaxDrainTime.count();
}

BuiltinConnection::Next BuiltinConnection::drain()
{
    for (;;) {
        const ssize_t got = ::recv(m_fd, m_buffer.data(), m_buffer.size(), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK ? Next::wait : Next::close;
        m_drained += static_cast<std::uint64_t>(got);
        if (got == 0 || m_drained > kMaxDrained)
            return Next::close;
    }
}

} // namespace lapbench
