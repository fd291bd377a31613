#pragma once

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace lapbench {

/// The head of the last answer that a parser accepted whole and whose length it told, 1xx answers before it included.
/// An answer that begins with the same bytes, to a request that is HEAD or not as that one was, needs no second parse.
/// One per worker and kind of request, shared by the readers of its answers.
struct KnownHead {
    std::string bytes; ///< empty: none yet
    std::uint64_t bodyBytes = 0;
    int status = 0;
    bool keepAlive = false;
    bool toHead = false; ///< it answered HEAD; the same bytes mean something else to another method
};

/// Reads the answer to one request off a connection, piece by piece; llhttp decides where it ends. One per connection,
/// used by the thread that owns it.
class ResponseReader {
public:
    enum class Progress : std::uint8_t {
        more,      ///< the answer goes on
        done,      ///< it is complete
        malformed, ///< it is no HTTP answer, see reason()
        tooLarge   ///< its head has more than kMostHeadBytes
    };
    static constexpr std::size_t kMostHeadBytes = 256 * 1024;

    static constexpr std::size_t kMostBodyBytes = 1024 * 1024;

    /// Gets ready for the next answer. An answer to HEAD has no body whatever its head says. Where `body` is given, it
    /// must outlive the answer, and the body without its chunking is appended to it, up to `mostBody` bytes of it.
    void begin(bool toHead, std::string* body = nullptr, std::size_t mostBody = kMostBodyBytes)
    {
        m_toHead = toHead;
        m_body = body;
        if (body != nullptr)
            m_mostBody = mostBody;
        m_state = State::start;
        m_bodyBytes = 0;
        m_headDone = false;
    }
    /// Takes what was received. After `done`, leftover() of these bytes are not part of the answer.
    Progress feed(KnownHead& known, const char* bytes, std::size_t size);
    /// The connection was closed by the peer: `done` where that ends the answer, else `more` (closed too early).
    Progress close();

    bool started() const { return m_state != State::start; }
    bool headDone() const { return m_headDone; }
    std::size_t leftover() const { return m_leftover; }
    int status() const { return m_status; }
    /// Whether the connection may be used again; valid after `done`.
    bool keepAlive() const { return m_keepAlive; }
    std::uint64_t bodyBytes() const { return m_bodyBytes; }
    /// What the parser says about a malformed answer.
    std::string reason() const { return m_reason; }

private:
    friend struct ResponseCallbacks;
    enum class State : std::uint8_t { start, parsing, counting };

    void expectHead();
    bool beginsRight(const char* bytes, std::size_t size);
    // Apart, since a known head needs neither, and inlined they cost it 20 instructions of 130.
    [[gnu::noinline]] void collect(const char* bytes, std::size_t size);
    [[gnu::noinline]] Progress readNew(KnownHead& known, const char* bytes, std::size_t size);
    Progress parse(const char* bytes, std::size_t size);
    Progress count(const char* bytes, std::size_t size);
    void learn(KnownHead& known, const char* bytes, std::size_t consumed) const;

    llhttp_t m_parser;
    const char* m_reason = "";
    std::string* m_body = nullptr;
    std::size_t m_mostBody = 0;
    std::uint64_t m_bodyBytes = 0;
    std::uint64_t m_expected = 0; ///< body bytes the head announces, where it does
    std::size_t m_headBytes = 0;
    std::size_t m_leftover = 0;
    unsigned m_beginning = 0; ///< bytes of the status line seen, up to its first digit
    int m_status = 0;
    State m_state = State::start;
    bool m_toHead = false;
    bool m_headDone = false;
    bool m_interim = false; ///< a 1xx answer is being read
    bool m_counted = false; ///< the head tells the body's length
    bool m_complete = false;
    bool m_keepAlive = false;
};

} // namespace lapbench
