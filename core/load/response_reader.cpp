#include "core/load/response_reader.h"

#include <algorithm>
#include <cstring>

namespace lapbench {

namespace {
constexpr std::size_t kMostKnownBytes = 4096;
constexpr unsigned kBeginning = sizeof "HTTP/1.1 2" - 1;
} // namespace

struct ResponseCallbacks {
    static ResponseReader& reader(llhttp_t* parser) { return *static_cast<ResponseReader*>(parser->data); }

    /// Why an answer that llhttp takes is none to a request of HTTP/1.1, "" where it is one.
    static const char* refusal(const llhttp_t& parser, bool noBody)
    {
        if (parser.http_major != 1)
            return "Not HTTP/1"; // RFC 9110 2.5 and 6.2
        if (parser.status_code < 100)
            return "Invalid response status"; // RFC 9112 4: three digits
        if (parser.status_code == 101)
            return "Unasked change of protocol"; // RFC 9110 15.2.2
        // RFC 9112 6.3 has the close end such a body. But none but chunked was offered (RFC 9110 10.1.4), so that its
        // bytes would mean nothing; and llhttp takes a folded "chunked" for another coding.
        if (!noBody && (parser.flags & F_TRANSFER_ENCODING) != 0 && (parser.flags & F_CHUNKED) == 0)
            return "Transfer-Encoding other than chunked";
        return "";
    }
    static bool mayStayOpen(const llhttp_t& parser)
    {
        // RFC 9112 9.3: a close wins over all else, which llhttp forgets in HTTP/1.0.
        // RFC 9112 6.1: HTTP/1.0 has no Transfer-Encoding, so that the framing of such an answer is not to be trusted.
        const bool old = parser.http_minor == 0;
        return llhttp_should_keep_alive(&parser) != 0 && (parser.flags & F_CONNECTION_CLOSE) == 0 &&
               !(old && (parser.flags & F_TRANSFER_ENCODING) != 0);
    }
    static int headersComplete(llhttp_t* parser)
    {
        ResponseReader& self = reader(parser);
        self.m_interim = parser->status_code / 100 == 1;
        const bool noBody = self.m_toHead || self.m_interim || parser->status_code == 204 || parser->status_code == 304;
        self.m_reason = refusal(*parser, noBody);
        if (self.m_reason[0] != '\0')
            return -1;
        self.m_status = parser->status_code;
        self.m_headDone = !self.m_interim;
        self.m_counted = noBody || ((parser->flags & F_CONTENT_LENGTH) != 0 && (parser->flags & F_CHUNKED) == 0);
        self.m_expected = noBody ? 0 : parser->content_length;
        if (noBody)
            parser->flags |= F_SKIPBODY; // llhttp sets it too, but only after this call
        self.m_keepAlive = mayStayOpen(*parser);
        return noBody ? 1 : 0; // 1: llhttp expects no body
    }
    static int body(llhttp_t* parser, const char* bytes, std::size_t size)
    {
        ResponseReader& self = reader(parser);
        if (self.m_body != nullptr)
            self.collect(bytes, size);
        self.m_bodyBytes += size;
        return 0;
    }
    static int messageComplete(llhttp_t* parser)
    {
        reader(parser).m_complete = true;
        return HPE_PAUSED;
    }

    static const llhttp_settings_t& settings()
    {
        static const llhttp_settings_t kSettings = [] {
            llhttp_settings_t settings;
            llhttp_settings_init(&settings);
            settings.on_headers_complete = headersComplete;
            settings.on_body = body;
            settings.on_message_complete = messageComplete;
            return settings;
        }();
        return kSettings;
    }
};

ResponseReader::Progress ResponseReader::feed(KnownHead& known, const char* bytes, std::size_t size)
{
    if (m_state == State::parsing)
        return parse(bytes, size);
    if (m_state == State::counting)
        return count(bytes, size);

    const std::size_t head = known.bytes.size();
    if (head != 0 && size >= head && known.toHead == m_toHead && std::memcmp(bytes, known.bytes.data(), head) == 0) {
        m_status = known.status;
        m_keepAlive = known.keepAlive;
        m_expected = known.bodyBytes;
        m_headDone = true;
        m_state = State::counting;
        return count(bytes + head, size - head);
    }
    return readNew(known, bytes, size);
}

ResponseReader::Progress ResponseReader::readNew(KnownHead& known, const char* bytes, std::size_t size)
{
    m_state = State::parsing;
    m_headBytes = 0;
    expectHead();
    const Progress progress = parse(bytes, size);
    // The body so far is of these bytes alone, so that the rest of them is the head.
    if ((progress == Progress::done || progress == Progress::more) && m_headDone && m_counted)
        learn(known, bytes, progress == Progress::done ? size - m_leftover : size);
    return progress;
}

ResponseReader::Progress ResponseReader::count(const char* bytes, std::size_t size)
{
    const std::uint64_t missing = m_expected - m_bodyBytes;
    const bool all = missing <= size;
    const std::size_t taken = all ? static_cast<std::size_t>(missing) : size;
    if (m_body != nullptr)
        collect(bytes, taken);
    m_bodyBytes += taken;
    m_leftover = size - taken;
    return all ? Progress::done : Progress::more;
}

void ResponseReader::collect(const char* bytes, std::size_t size)
{
    if (m_bodyBytes < m_mostBody)
        m_body->append(bytes, std::min<std::uint64_t>(size, m_mostBody - m_bodyBytes));
}

void ResponseReader::expectHead()
{
    llhttp_init(&m_parser, HTTP_RESPONSE, &ResponseCallbacks::settings());
    m_parser.data = this;
    m_beginning = 0;
    m_complete = false;
    m_interim = false;
    m_status = 0;
    m_reason = "";
}

bool ResponseReader::beginsRight(const char* bytes, std::size_t size)
{
    // llhttp passes over line ends before the status line and over zeros before the status. RFC 9112 4 knows neither,
    // and what comes before the status line belongs to no answer.
    const unsigned before = m_beginning;
    m_beginning += static_cast<unsigned>(std::min<std::size_t>(size, kBeginning - before));
    return (before > 0 || bytes[0] == 'H') && (m_beginning < kBeginning || bytes[kBeginning - 1 - before] != '0');
}

ResponseReader::Progress ResponseReader::parse(const char* bytes, std::size_t size)
{
    const char* const end = bytes + size;
    m_parser.data = this; // connections may move between two reads
    while (bytes != end) {
        if (m_beginning < kBeginning && !beginsRight(bytes, static_cast<std::size_t>(end - bytes))) {
            m_reason = "Invalid status line";
            return Progress::malformed;
        }
        const llhttp_errno_t error = llhttp_execute(&m_parser, bytes, static_cast<std::size_t>(end - bytes));
        if (error == HPE_OK) {
            if (!m_headDone)
                m_headBytes += static_cast<std::size_t>(end - bytes);
            return m_headBytes > kMostHeadBytes ? Progress::tooLarge : Progress::more;
        }
        if (error != HPE_PAUSED || !m_complete) {
            if (m_reason[0] == '\0')
                m_reason = llhttp_get_error_reason(&m_parser);
            return Progress::malformed;
        }
        const char* const next = llhttp_get_error_pos(&m_parser);
        if (!m_interim) {
            m_leftover = static_cast<std::size_t>(end - next);
            return Progress::done;
        }
        // A 1xx answer went before; what follows is the answer itself.
        m_headBytes += static_cast<std::size_t>(next - bytes);
        bytes = next;
        expectHead();
    }
    return m_headBytes > kMostHeadBytes ? Progress::tooLarge : Progress::more;
}

ResponseReader::Progress ResponseReader::close()
{
    if (m_state != State::parsing)
        return Progress::more;
    m_parser.data = this;
    llhttp_finish(&m_parser);
    if (!m_complete)
        return Progress::more;
    m_keepAlive = false;
    m_leftover = 0;
    return Progress::done;
}

void ResponseReader::learn(KnownHead& known, const char* bytes, std::size_t consumed) const
{
    const std::size_t head = consumed - static_cast<std::size_t>(m_bodyBytes);
    if (head > kMostKnownBytes)
        return;
    known.bytes.assign(bytes, head);
    known.bodyBytes = m_expected;
    known.status = m_status;
    known.keepAlive = m_keepAlive;
    known.toHead = m_toHead;
}

} // namespace lapbench
