#include "core/load/response_reader.h"

#include <algorithm>
#include <cstring>

namespace lapbench {

namespace {
constexpr std::size_t kMostKnownBytes = 4096;
}

struct ResponseCallbacks {
    static ResponseReader& reader(llhttp_t* parser) { return *static_cast<ResponseReader*>(parser->data); }

    static int headersComplete(llhttp_t* parser)
    {
        ResponseReader& self = reader(parser);
        self.m_status = parser->status_code;
        self.m_interim = parser->status_code / 100 == 1;
        self.m_headDone = !self.m_interim;
        const bool noBody = self.m_toHead || self.m_interim || parser->status_code == 204 || parser->status_code == 304;
        self.m_counted = noBody || ((parser->flags & F_CONTENT_LENGTH) != 0 && (parser->flags & F_CHUNKED) == 0);
        self.m_expected = noBody ? 0 : parser->content_length;
        if (noBody)
            parser->flags |= F_SKIPBODY; // llhttp sets it too, but only after this call
        self.m_keepAlive = llhttp_should_keep_alive(parser) != 0;
        return noBody ? 1 : 0; // 1: llhttp expects no body
    }
    static int body(llhttp_t* parser, const char* bytes, std::size_t size)
    {
        reader(parser).takeBody(bytes, size);
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

    llhttp_init(&m_parser, HTTP_RESPONSE, &ResponseCallbacks::settings());
    m_parser.data = this;
    m_state = State::parsing;
    m_headBytes = 0;
    m_complete = false;
    m_interim = false;
    m_status = 0;
    const Progress progress = parse(bytes, size);
    // The body so far is of these bytes alone, so that the rest of them is the head.
    if ((progress == Progress::done || progress == Progress::more) && m_headDone && m_counted && m_headBytes == 0)
        learn(known, bytes, progress == Progress::done ? size - m_leftover : size);
    return progress;
}

ResponseReader::Progress ResponseReader::count(const char* bytes, std::size_t size)
{
    const std::uint64_t missing = m_expected - m_bodyBytes;
    const std::size_t taken = missing < size ? static_cast<std::size_t>(missing) : size;
    takeBody(bytes, taken);
    m_leftover = size - taken;
    return taken == missing ? Progress::done : Progress::more;
}

void ResponseReader::takeBody(const char* bytes, std::size_t size)
{
    if (m_body != nullptr && m_bodyBytes < m_mostBody)
        m_body->append(bytes, std::min<std::uint64_t>(size, m_mostBody - m_bodyBytes));
    m_bodyBytes += size;
}

ResponseReader::Progress ResponseReader::parse(const char* bytes, std::size_t size)
{
    const char* const end = bytes + size;
    m_parser.data = this; // connections may move between two reads
    for (;;) {
        const llhttp_errno_t error = llhttp_execute(&m_parser, bytes, static_cast<std::size_t>(end - bytes));
        if (error == HPE_OK) {
            if (!m_headDone)
                m_headBytes += static_cast<std::size_t>(end - bytes);
            return m_headBytes > kMostHeadBytes ? Progress::tooLarge : Progress::more;
        }
        if (error == HPE_PAUSED_UPGRADE || m_status == 101) {
            m_reason = "Unasked change of protocol";
            return Progress::malformed;
        }
        if (error != HPE_PAUSED || !m_complete) {
            m_reason = llhttp_get_error_reason(&m_parser);
            return Progress::malformed;
        }
        const char* const next = llhttp_get_error_pos(&m_parser);
        if (!m_interim) {
            m_leftover = static_cast<std::size_t>(end - next);
            return Progress::done;
        }
        // A 1xx answer went before; what follows is the answer itself, and its head is not at the buffer's start.
        m_headBytes += static_cast<std::size_t>(next - bytes);
        m_complete = false;
        bytes = next;
        llhttp_resume(&m_parser);
        if (bytes == end)
            return Progress::more;
    }
}

ResponseReader::Progress ResponseReader::close()
{
    if (m_state != State::parsing)
        return Progress::more;
    m_parser.data = this;
    llhttp_finish(&m_parser);
    if (!m_complete || m_interim)
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
