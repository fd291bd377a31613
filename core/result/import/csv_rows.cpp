#include "core/result/import/csv_rows.h"

#include "core/result/import/measure_text.h"

#include <algorithm>

namespace lapbench {

std::string CsvRows::readValue()
{
    std::string value;
    if (m_rest.starts_with('"')) {
        m_rest.remove_prefix(1);
        while (!m_rest.empty()) {
            const std::size_t quote = std::min(m_rest.find('"'), m_rest.size());
            m_line += static_cast<std::size_t>(std::count(m_rest.begin(), m_rest.begin() + quote, '\n'));
            value += m_rest.substr(0, quote);
            m_rest.remove_prefix(std::min(quote + 1, m_rest.size()));
            if (!m_rest.starts_with('"'))
                break;
            value += '"';
            m_rest.remove_prefix(1);
        }
    }
    const char ends[] = {m_separator, '\n'};
    const std::size_t end = std::min(m_rest.find_first_of(std::string_view(ends, 2)), m_rest.size());
    std::string_view plain = m_rest.substr(0, end);
    if (plain.ends_with('\r') && (end == m_rest.size() || m_rest[end] == '\n'))
        plain.remove_suffix(1);
    value += plain;
    m_rest.remove_prefix(end);
    return value;
}

bool CsvRows::next(std::vector<std::string>& row)
{
    while (!m_rest.empty()) {
        row.clear();
        m_rowLine = m_line;
        bool more = true;
        while (more) {
            row.push_back(readValue());
            more = m_rest.starts_with(m_separator);
            m_isOpen = m_rest.empty();
            if (!m_rest.empty())
                m_rest.remove_prefix(1);
        }
        ++m_line;
        if (row.size() > 1 || !trimmed(row.front()).empty())
            return true;
    }
    return false;
}

char separatorOf(std::string_view headerLine)
{
    char best = ',';
    auto most = std::count(headerLine.begin(), headerLine.end(), best);
    for (const char separator : {';', '\t', '|'})
        if (const auto count = std::count(headerLine.begin(), headerLine.end(), separator); count > most) {
            best = separator;
            most = count;
        }
    return best;
}

int columnOf(const std::vector<std::string>& header, std::string_view name)
{
    const auto found =
        std::find_if(header.begin(), header.end(), [&](const std::string& column) { return trimmed(column) == name; });
    return found == header.end() ? -1 : static_cast<int>(found - header.begin());
}

} // namespace lapbench
