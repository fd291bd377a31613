#include "core/plan/placeholders.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}";

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Reads the words of one placeholder; `rest` begins behind its {{ and is moved behind its }}.
class WordReader {
public:
    explicit WordReader(std::string_view& rest) : m_rest(rest) {}

    Result<std::vector<std::string>> read()
    {
        const std::string shown = "{{" + std::string(m_rest.substr(0, 40));
        std::vector<std::string> words;
        while (true) {
            while (!m_rest.empty() && isBlank(m_rest.front()))
                m_rest.remove_prefix(1);
            if (m_rest.empty())
                return Problem{"", "the placeholder \"" + shown + "\" is not closed",
                               "end it with }}, or write \\{{ for a plain {{"};
            if (m_rest.starts_with(kClose)) {
                m_rest.remove_prefix(kClose.size());
                return words;
            }
            if (m_rest.front() != '"')
                words.push_back(bareWord());
            else if (!quotedWord(words.emplace_back()))
                return Problem{"", "a quote in the placeholder \"" + shown + "\" is not closed", "end it with \""};
        }
    }

private:
    std::string bareWord()
    {
        std::size_t length = 0;
        while (length < m_rest.size() && !isBlank(m_rest[length]) && !m_rest.substr(length).starts_with(kClose))
            ++length;
        std::string word(m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        return word;
    }

    bool quotedWord(std::string& word)
    {
        for (std::size_t i = 1; i < m_rest.size(); ++i) {
            if (m_rest[i] == '"') {
                m_rest.remove_prefix(i + 1);
                return true;
            }
            if (m_rest[i] == '\\' && i + 1 < m_rest.size() && (m_rest[i + 1] == '"' || m_rest[i + 1] == '\\'))
                ++i;
            word += m_rest[i];
        }
        return false;
    }

    std::string_view& m_rest;
};

} // namespace

Result<std::vector<TextPart>> splitPlaceholders(std::string_view text)
{
    std::vector<TextPart> parts;
    std::string plain;
    while (true) {
        const std::size_t open = text.find(kOpen);
        if (open == std::string_view::npos)
            break;
        const bool isPlain = open > 0 && text[open - 1] == '\\';
        plain += text.substr(0, isPlain ? open - 1 : open);
        text.remove_prefix(open + kOpen.size());
        if (isPlain) {
            plain += kOpen;
            continue;
        }
        auto words = WordReader(text).read();
        if (!words)
            return words.problem();
        if (!plain.empty())
            parts.push_back({std::move(plain), {}, false});
        plain.clear();
        parts.push_back({{}, std::move(words).value(), true});
    }
    plain += text;
    if (!plain.empty())
        parts.push_back({std::move(plain), {}, false});
    return parts;
}

std::string maskPlaceholders(std::string_view text)
{
    std::string masked(text);
    std::size_t from = 0;
    while (true) {
        const std::size_t open = text.find(kOpen, from);
        if (open == std::string_view::npos)
            return masked;
        from = open + kOpen.size();
        if (open > 0 && text[open - 1] == '\\')
            continue;
        std::string_view rest = text.substr(from);
        from = WordReader(rest).read() ? text.size() - rest.size() : text.size();
        std::fill(masked.begin() + static_cast<std::ptrdiff_t>(open),
                  masked.begin() + static_cast<std::ptrdiff_t>(from), 'x');
    }
}

} // namespace lapbench
