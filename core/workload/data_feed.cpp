#include "core/workload/data_feed.h"

#include "core/base/atomic_file.h"
#include "core/base/units.h"

#include <algorithm>
#include <set>

namespace lapbench {

/// Goes once through the text. A quoted value only gets shorter by being unfolded, so that it can stay where it is.
class CsvReader {
public:
    explicit CsvReader(std::string text) { m_feed.m_text = std::move(text); }

    Result<DataFeed> read()
    {
        if (m_feed.m_text.starts_with("\xef\xbb\xbf"))
            m_at = 3;
        while (m_at < m_feed.m_text.size())
            if (auto row = readRow(); !row)
                return row.problem();
        if (m_feed.m_columns == 0)
            return Problem{"", "it is empty", "the first line names the columns, every further line is a row"};
        std::set<std::string_view> names;
        for (const std::string_view name : m_feed.columns())
            if (!names.insert(name).second)
                return Problem{"", "the column \"" + std::string(name) + "\" stands twice in its first line",
                               "give each column a name of its own"};
        if (m_feed.rows() == 0)
            return Problem{"", "it has no rows", "its first line names the columns, add at least one more"};
        return std::move(m_feed);
    }

private:
    char at(std::size_t place) const { return place < m_feed.m_text.size() ? m_feed.m_text[place] : '\n'; }
    bool isLineEnd() const { return at(m_at) == '\n' || (at(m_at) == '\r' && at(m_at + 1) == '\n'); }

    void endLine()
    {
        m_at += at(m_at) == '\r' ? 2 : 1;
        ++m_line;
    }

    Result<void> readRow()
    {
        if (isLineEnd()) {
            endLine();
            return {};
        }
        const std::size_t line = m_line, before = m_feed.m_fields.size();
        while (true) {
            if (auto value = at(m_at) == '"' ? readQuoted() : readPlain(); !value)
                return value;
            if (at(m_at) != ',')
                break;
            ++m_at;
        }
        endLine();
        const std::size_t values = m_feed.m_fields.size() - before;
        if (m_feed.m_columns == 0)
            m_feed.m_columns = values;
        if (values != m_feed.m_columns)
            return Problem{"",
                           "line " + std::to_string(line) + " has " + formatCounted(values, "value") +
                               ", the first line has " + std::to_string(m_feed.m_columns),
                           "give every row a value for each column"};
        return {};
    }

    Result<void> readPlain()
    {
        const std::size_t from = m_at;
        while (at(m_at) != ',' && !isLineEnd())
            if (m_feed.m_text[m_at++] == '"')
                return misplacedQuote();
        keep(from, m_at - from);
        return {};
    }

    Result<void> readQuoted()
    {
        std::string& text = m_feed.m_text;
        const std::size_t line = m_line;
        std::size_t to = m_at;
        const std::size_t from = m_at++;
        for (; m_at < text.size(); ++m_at) {
            if (text[m_at] == '"') {
                if (at(m_at + 1) != '"')
                    break;
                ++m_at;
            }
            m_line += text[m_at] == '\n';
            text[to++] = text[m_at];
        }
        if (m_at == text.size())
            return Problem{"", "the quote that opens in line " + std::to_string(line) + " is not closed",
                           "end the value with a quote"};
        ++m_at;
        if (at(m_at) != ',' && !isLineEnd())
            return misplacedQuote();
        keep(from, to - from);
        return {};
    }

    Problem misplacedQuote() const
    {
        return {"", "line " + std::to_string(m_line) + " has a quote in the middle of a value",
                "put the whole value in quotes and write its own quotes twice"};
    }

    void keep(std::size_t from, std::size_t length)
    {
        m_feed.m_fields.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(length)});
    }

    DataFeed m_feed;
    std::size_t m_at = 0, m_line = 1;
};

Result<DataFeed> DataFeed::parse(std::string text)
{
    return CsvReader(std::move(text)).read();
}

Result<DataFeed> DataFeed::read(const std::filesystem::path& file)
{
    constexpr std::uint64_t kLargest = 256u << 20; // fields keep their place in 32 bits
    auto text = readFile(file, kLargest);
    if (!text)
        return Problem{"", text.problem().message, text.problem().cure};
    return parse(std::move(text).value());
}

std::vector<std::string_view> DataFeed::columns() const
{
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < m_columns; ++i)
        names.push_back(field(i));
    return names;
}

std::optional<std::size_t> DataFeed::column(std::string_view name) const
{
    for (std::size_t i = 0; i < m_columns; ++i)
        if (field(i) == name)
            return i;
    return std::nullopt;
}

Result<std::shared_ptr<const DataFeed>> FeedShelf::feed(const std::string& name)
{
    using Shared = Result<std::shared_ptr<const DataFeed>>;
    if (const auto known = m_feeds.find(name); known != m_feeds.end())
        return known->second;
    const auto path = m_folder / name;
    auto read = DataFeed::read(path);
    Shared shared = read ? Shared(std::make_shared<const DataFeed>(std::move(read).value()))
                         : Shared(Problem{"", "the data file \"" + path.string() + "\": " + read.problem().message,
                                          read.problem().cure});
    return m_feeds.emplace(name, std::move(shared)).first->second;
}

} // namespace lapbench
