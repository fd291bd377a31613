#include "tests/fuzz/rfc9112.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace lapbench::test {

namespace {

constexpr std::size_t kMostDigits = 18; // of a length that surely fits

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isControl(char c)
{
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
}

bool isTokenChar(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

std::string lower(std::string_view text)
{
    std::string small(text);
    for (char& c : small)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

class Judge {
public:
    Judge(std::string_view bytes, bool toHead) : m_rest(bytes), m_toHead(toHead) {}

    Judgement judge()
    {
        // 9110 15.2: any number of 1xx answers may go before.
        do {
            m_lengths.clear();
            m_codings.clear();
            m_options.clear();
            if (!head())
                return m_judgement;
        } while (m_status / 100 == 1 && m_status != 101);
        if (m_status == 101)
            note(Trait::protocolChange);
        m_judgement.status = m_status;
        body();
        m_judgement.keepAlive = m_judgement.complete && persists();
        if (m_judgement.complete && !m_rest.empty())
            note(Trait::excess);
        return m_judgement;
    }

private:
    void note(Trait trait) { m_judgement.traits |= std::uint64_t(1) << static_cast<unsigned>(trait); }

    /// 9112 2.2: a line ends in CRLF; LF alone is taken too. Nothing where the bytes end first.
    std::optional<std::string_view> line()
    {
        const std::size_t end = m_rest.find('\n');
        if (end == std::string_view::npos) {
            m_rest = {};
            return std::nullopt;
        }
        std::string_view text = m_rest.substr(0, end);
        m_rest.remove_prefix(end + 1);
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        else
            note(Trait::bareLf);
        if (text.find('\r') != std::string_view::npos)
            note(Trait::bareCr);
        return text;
    }

    bool head()
    {
        if (!m_rest.empty() && lower(m_rest.substr(0, 5)) != std::string_view("http/").substr(0, m_rest.size()))
            note(Trait::noStatusLine);
        const std::string_view unread = m_rest;
        const auto first = line();
        if (first)
            statusLine(*first);
        if (first && fields(true)) {
            if (!m_lengths.empty() && !m_codings.empty())
                note(Trait::lengthAndCoding);
            return true;
        }
        note(Trait::headCut);
        // Where the bytes end in the middle of a line it may be odd all the same.
        if (unread.find('\r') < unread.size() - (unread.ends_with('\r') ? 1 : 0))
            note(Trait::bareCr);
        return false;
    }

    /// 9112 4: HTTP-version SP 3DIGIT SP [ reason-phrase ]; the second SP is commonly left out where no reason follows.
    void statusLine(std::string_view text)
    {
        if (!text.starts_with("HTTP/"))
            note(Trait::protocolCase);
        text.remove_prefix(std::min<std::size_t>(5, text.size()));
        m_old = text.starts_with("1.0");
        if (!m_old && !text.starts_with("1.1"))
            note(Trait::version);
        text.remove_prefix(std::min<std::size_t>(3, text.size()));
        const bool right = text.size() >= 4 && text[0] == ' ' && text[1] != '0' && isDigit(text[1]) &&
                           isDigit(text[2]) && isDigit(text[3]) && (text.size() == 4 || text[4] == ' ');
        if (!right) {
            note(Trait::status);
            m_status = 0;
            return;
        }
        m_status = (text[1] - '0') * 100 + (text[2] - '0') * 10 + (text[3] - '0');
        if (std::any_of(text.begin(), text.end(), isControl))
            note(Trait::reasonControl);
    }

    /// 9112 5: the fields up to the empty line. Those of a trailer frame nothing.
    bool fields(bool framing)
    {
        std::string name, value;
        bool any = false, folded = false;
        const auto finish = [&] {
            if (any)
                field(name, value, folded, framing);
            any = folded = false;
        };
        while (const auto text = line()) {
            if (text->empty()) {
                finish();
                return true;
            }
            if (isBlank(text->front())) {
                if (!any)
                    note(Trait::firstFieldFolded);
                folded = true;
                value += ' ';
                value += *text;
                continue;
            }
            finish();
            any = true;
            const std::size_t colon = text->find(':');
            name = text->substr(0, colon);
            value = colon == std::string_view::npos ? std::string_view() : text->substr(colon + 1);
            if (colon == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), isTokenChar))
                note(Trait::fieldName);
        }
        return false;
    }

    void field(const std::string& name, const std::string& value, bool folded, bool framing)
    {
        if (std::any_of(value.begin(), value.end(), isControl))
            note(Trait::valueControl);
        const std::string key = lower(trimmed(name));
        const bool frames = key == "content-length" || key == "transfer-encoding" || key == "connection";
        if (frames && !framing)
            note(Trait::trailerFrames);
        if (!framing || !frames)
            return;
        if (folded)
            note(Trait::framingFolded);
        if (value.find('\t') != std::string::npos)
            note(Trait::framingTab);
        if (key == "content-length")
            length(value);
        if (key == "transfer-encoding" && !addList(m_codings, value))
            note(Trait::codingEmpty);
        if (key == "connection")
            addList(m_options, value);
    }

    /// 9110 8.6: 1*DIGIT. 9112 6.3, 5: a list of the same number is the only other form a client may take.
    void length(const std::string& value)
    {
        std::string_view digits = trimmed(value);
        if (digits.empty() || !std::all_of(digits.begin(), digits.end(), isDigit)) {
            note(Trait::length);
            if (digits.find(',') != std::string_view::npos)
                note(Trait::lengthRepeated);
            return;
        }
        while (digits.size() > 1 && digits.front() == '0')
            digits.remove_prefix(1);
        if (!m_lengths.empty())
            note(m_lengths.back() == digits ? Trait::lengthRepeated : Trait::lengthsDiffer);
        m_lengths.emplace_back(digits);
        if (digits.size() > kMostDigits)
            note(Trait::lengthHuge);
    }

    /// 9110 5.6.1: empty elements do not count. False where there was one.
    static bool addList(std::vector<std::string>& elements, std::string_view list)
    {
        for (bool full = true;;) {
            const std::size_t comma = list.find(',');
            if (const std::string_view element = trimmed(list.substr(0, comma)); !element.empty())
                elements.push_back(lower(element));
            else
                full = false;
            if (comma == std::string_view::npos)
                return full;
            list.remove_prefix(comma + 1);
        }
    }

    /// 9112 6.3, in its order.
    void body()
    {
        const auto chunked = std::count(m_codings.begin(), m_codings.end(), "chunked");
        if (chunked < static_cast<std::ptrdiff_t>(m_codings.size()))
            note(Trait::codingBeside);
        if (chunked > 1)
            note(Trait::chunkedTwice);
        if (chunked > 0 && m_codings.back() != "chunked")
            note(Trait::chunkedNotLast);
        if (m_toHead || m_status == 101 || m_status == 204 || m_status == 304)
            m_judgement.complete = true;
        else if (chunked > 0 && m_codings.back() == "chunked")
            m_judgement.complete = chunks();
        else if (!m_codings.empty() || m_lengths.empty()) {
            if (!m_codings.empty())
                note(Trait::codingUnknown);
            m_judgement.complete = m_judgement.byClose = true;
            take(m_rest.size());
        } else if (m_lengths.front().size() <= kMostDigits)
            m_judgement.complete = take(static_cast<std::size_t>(std::stoull(m_lengths.front())));
    }

    /// 9112 9.3, and 6.1 for a coding in HTTP/1.0.
    bool persists() const
    {
        const auto says = [this](const char* option) {
            return std::find(m_options.begin(), m_options.end(), option) != m_options.end();
        };
        if (m_judgement.byClose || says("close") || (m_old && !m_codings.empty()))
            return false;
        return !m_old || says("keep-alive");
    }

    bool take(std::size_t size)
    {
        const bool all = size <= m_rest.size();
        m_judgement.body += m_rest.substr(0, size);
        m_rest.remove_prefix(std::min(size, m_rest.size()));
        return all;
    }

    /// 9112 7.1. False where the last chunk and the trailer are not all there, or where the sizes lead nowhere.
    bool chunks()
    {
        while (const auto text = line()) {
            const auto end = std::find_if(text->begin(), text->end(),
                                          [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) == 0; });
            std::string digits(text->begin(), end);
            const std::string_view extension(text->substr(digits.size()));
            if (digits.empty() || (!extension.empty() && !trimmed(extension).starts_with(';')))
                note(Trait::chunkSize);
            else if (!extension.empty())
                note(Trait::chunkExtension);
            if (digits.size() > 16)
                note(Trait::chunkSizeLong);
            digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
            if (digits.size() > 15) {
                note(Trait::chunkOverflow);
                return false;
            }
            const auto size = digits.empty() ? 0U : static_cast<std::size_t>(std::stoull(digits, nullptr, 16));
            if (size == 0) {
                const bool cut = m_rest.ends_with('\r');
                if (fields(false))
                    return true;
                if (cut)
                    note(Trait::trailerCut);
                return false;
            }
            if (!take(size))
                return false;
            if (m_rest.starts_with("\r\n"))
                m_rest.remove_prefix(2);
            else if (m_rest.starts_with("\n")) {
                note(Trait::bareLf);
                m_rest.remove_prefix(1);
            } else if (m_rest != "\r" && !m_rest.empty()) {
                note(Trait::chunkEnd);
                return false;
            }
        }
        return false;
    }

    Judgement m_judgement;
    std::string_view m_rest;
    std::vector<std::string> m_lengths, m_codings, m_options;
    int m_status = 0;
    bool m_old = false; ///< HTTP/1.0
    const bool m_toHead;
};

} // namespace

Judgement judged(std::string_view bytes, bool toHead)
{
    return Judge(bytes, toHead).judge();
}

} // namespace lapbench::test
