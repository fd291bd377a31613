#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Reads rows of separated values one by one (RFC 4180): quoted values may hold separators, line ends and doubled
/// quotes. `text` must outlive it.
class CsvRows {
public:
    explicit CsvRows(std::string_view text, char separator = ',') : m_rest(text), m_separator(separator) {}

    /// The next row that is not empty, into `row`; false at the end. A quote that is not closed takes the rest.
    bool next(std::vector<std::string>& row);
    /// Line on which the last row began, from 1.
    std::size_t line() const { return m_rowLine; }
    /// Whether the last row ends with the text and not with a line end: its last value may be cut off.
    bool isOpen() const { return m_isOpen; }

private:
    std::string readValue();

    std::string_view m_rest;
    char m_separator;
    std::size_t m_line = 1, m_rowLine = 0;
    bool m_isOpen = false;
};

/// The separator of a header line: that of , ; tab | which it has most of; a comma where it has none.
char separatorOf(std::string_view headerLine);

/// Index of a column by name, as it is written, blanks around it apart; -1 where there is none.
int columnOf(const std::vector<std::string>& header, std::string_view name);

} // namespace lapbench
