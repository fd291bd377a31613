#include "core/plan/nearest.h"
#include "core/plan/placeholders.h"
#include "core/workload/percent_encoding.h"
#include "core/workload/text_template.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lapbench {

namespace {

struct Form {
    std::string_view name;
    std::size_t fewest, most; ///< words behind the name
    std::string_view example;
};

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr Form kForms[] = {
    {"random_int", 2, 2, "{{random_int 1 100}}"},
    {"choice", 1, kAny, "{{choice red green blue}}"},
    {"sequence", 0, 0, "{{sequence}}"},
    {"uuid", 0, 0, "{{uuid}}"},
    {"now_iso", 0, 0, "{{now_iso}}"},
    {"now_ms", 0, 0, "{{now_ms}}"},
    {"csv", 2, 2, "{{csv users.csv id}}"},
};

std::string counted(const Form& form)
{
    if (form.most == kAny)
        return "at least one word";
    return form.most == 0 ? "no words" : std::to_string(form.most) + " words";
}

bool breaksHeader(std::string_view value)
{
    return value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

} // namespace

/// Makes the pieces of one text.
class TemplateCompiler {
public:
    TemplateCompiler(TextPlace place, FeedShelf& feeds, unsigned& nextPlace)
        : m_place(place), m_feeds(feeds), m_nextPlace(nextPlace)
    {}

    Result<TextTemplate> compile(std::string_view text)
    {
        const auto parts = splitPlaceholders(text);
        if (!parts)
            return parts.problem();
        for (const TextPart& part : parts.value()) {
            if (!part.isPlaceholder)
                m_made.append(part.plain);
            else if (auto added = addPlaceholder(part.words); !added)
                return added.problem();
        }
        return std::move(m_made);
    }

private:
    Result<void> addPlaceholder(const std::vector<std::string>& words)
    {
        const std::string name = words.empty() ? "" : words.front();
        const auto* form = std::find_if(std::begin(kForms), std::end(kForms),
                                        [&](const Form& candidate) { return candidate.name == name; });
        if (form == std::end(kForms))
            return unknown(name);
        if (words.size() - 1 < form->fewest || words.size() - 1 > form->most)
            return Problem{"",
                           "{{" + name + "}} takes " + counted(*form) + " and has " + std::to_string(words.size() - 1),
                           "for example " + std::string(form->example)};
        const unsigned place = m_nextPlace++;
        if (name == "random_int")
            return addRandomInt(words[1], words[2], place);
        if (name == "choice")
            return addChoice({words.begin() + 1, words.end()}, place);
        if (name == "csv")
            return addFeedColumn(words[1], words[2]);
        if (name == "uuid")
            m_made.m_pieces.emplace_back(TextTemplate::Uuid{place});
        else if (name == "sequence")
            m_made.m_pieces.emplace_back(TextTemplate::Sequence{});
        else if (name == "now_iso")
            m_made.m_pieces.emplace_back(TextTemplate::NowIso{});
        else
            m_made.m_pieces.emplace_back(TextTemplate::NowMs{});
        return {};
    }

    static Problem unknown(const std::string& name)
    {
        std::vector<std::string_view> names;
        for (const Form& form : kForms)
            names.push_back(form.name);
        return {"", "there is no placeholder {{" + name + "}}",
                suggest(name, names) + ", or write \\{{ for a plain {{"};
    }

    Result<void> addRandomInt(const std::string& from, const std::string& to, unsigned place)
    {
        std::int64_t low = 0, high = 0;
        for (const auto& [text, value] : {std::pair{&from, &low}, std::pair{&to, &high}}) {
            const char* end = text->data() + text->size();
            const auto [stop, error] = std::from_chars(text->data(), end, *value);
            if (error != std::errc() || stop != end)
                return Problem{"", "\"" + *text + "\" in {{random_int}} is no whole number of 64 bits",
                               "for example {{random_int 1 100}}"};
        }
        if (low > high)
            return Problem{"", "{{random_int " + from + " " + to + "}} has its larger number first",
                           "write {{random_int " + to + " " + from + "}}"};
        const auto first = static_cast<std::uint64_t>(low);
        m_made.m_pieces.emplace_back(
            TextTemplate::RandomInt{first, static_cast<std::uint64_t>(high) - first + 1, place});
        return {};
    }

    Result<void> addChoice(std::vector<std::string> words, unsigned place)
    {
        for (std::string& word : words) {
            if (m_place == TextPlace::header && breaksHeader(word))
                return Problem{"", "a word of {{choice}} holds a line break", "a header is one line"};
            if (m_place != TextPlace::path)
                continue;
            std::string encoded(word.size() * kPercentEncodedBytes, '\0');
            encoded.resize(static_cast<std::size_t>(writePercentEncoded(word, encoded.data()) - encoded.data()));
            word = std::move(encoded);
        }
        m_made.m_pieces.emplace_back(TextTemplate::Choice{std::move(words), place});
        return {};
    }

    Result<void> addFeedColumn(const std::string& file, const std::string& name)
    {
        const auto shared = m_feeds.feed(file);
        if (!shared)
            return shared.problem();
        const DataFeed& feed = *shared.value();
        const auto column = feed.column(name);
        if (!column)
            return Problem{"", "the data file \"" + file + "\" has no column \"" + name + "\"",
                           suggest(name, feed.columns())};
        for (std::size_t row = 0; m_place == TextPlace::header && row < feed.rows(); ++row)
            if (breaksHeader(feed.value(row, *column)))
                return Problem{"",
                               "the column \"" + name + "\" of the data file \"" + file +
                                   "\" has a line break in row " + std::to_string(row + 1),
                               "a header is one line"};
        m_made.m_pieces.emplace_back(TextTemplate::FeedColumn{shared.value(), *column, m_place == TextPlace::path});
        return {};
    }

    const TextPlace m_place;
    FeedShelf& m_feeds;
    unsigned& m_nextPlace;
    TextTemplate m_made;
};

Result<TextTemplate> TextTemplate::compile(std::string_view text, TextPlace place, FeedShelf& feeds,
                                           unsigned& nextPlace)
{
    return TemplateCompiler(place, feeds, nextPlace).compile(text);
}

} // namespace lapbench
