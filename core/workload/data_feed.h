#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapbench {

/// A table from a CSV file (RFC 4180): the first line names the columns, every further one is a row. Lines end in LF or
/// CRLF, blank ones are left out, a byte order mark is ignored. Immutable; any thread.
class DataFeed {
public:
    /// Problems (path left empty): no header, no rows, a name twice, a row with more or fewer values than the header, a
    /// quote out of place, the last two with their line.
    static Result<DataFeed> parse(std::string text);
    /// The same from a file of at most 256 MiB.
    static Result<DataFeed> read(const std::filesystem::path& file);

    std::size_t rows() const { return m_fields.size() / m_columns - 1; }
    std::vector<std::string_view> columns() const;
    std::optional<std::size_t> column(std::string_view name) const;
    /// `row` is 0..rows()-1.
    std::string_view value(std::size_t row, std::size_t column) const { return field((row + 1) * m_columns + column); }

private:
    struct Field {
        std::uint32_t at, length; ///< within m_text
    };
    friend class CsvReader;

    std::string_view field(std::size_t index) const
    {
        return std::string_view(m_text).substr(m_fields[index].at, m_fields[index].length);
    }

    std::string m_text; ///< the file, quoted values unfolded in place
    std::vector<Field> m_fields;
    std::size_t m_columns = 0;
};

/// The feeds of one script: each file is read once, whoever asks for it. One thread.
class FeedShelf {
public:
    /// `folder` is where relative names start.
    explicit FeedShelf(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Problems: path left empty, the message names the file.
    Result<std::shared_ptr<const DataFeed>> feed(const std::string& name);

private:
    std::filesystem::path m_folder;
    std::map<std::string, Result<std::shared_ptr<const DataFeed>>> m_feeds;
};

} // namespace lapbench
