#pragma once

#include <QString>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace lapbench::test {

/// Reads CSV as RFC 4180 has it, line ends and all, and knows cells by the name of their column.
class CsvTable {
public:
    explicit CsvTable(const std::string& text)
    {
        std::vector<std::string> line{""};
        bool quoted = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
                line.back() += text[++i];
            else if (c == '"')
                quoted = !quoted;
            else if (quoted)
                line.back() += c;
            else if (c == ',')
                line.emplace_back();
            else if (c == '\n')
                add(line);
            else if (c != '\r')
                line.back() += c;
        }
    }

    std::size_t rows() const { return m_rows.empty() ? 0 : m_rows.size() - 1; }
    bool has(const std::string& column) const
    {
        return std::find(m_rows.at(0).begin(), m_rows.at(0).end(), column) != m_rows.at(0).end();
    }
    const std::string& at(std::size_t row, const std::string& column) const
    {
        const auto& header = m_rows.at(0);
        const auto found = std::find(header.begin(), header.end(), column);
        if (found == header.end())
            qFatal("there is no column %s", column.c_str());
        return m_rows.at(row + 1).at(static_cast<std::size_t>(found - header.begin()));
    }

private:
    void add(std::vector<std::string>& line)
    {
        if (!m_rows.empty() && line.size() != m_rows.front().size())
            qFatal("a line has %zu cells and the header %zu", line.size(), m_rows.front().size());
        m_rows.push_back(std::move(line));
        line = {""};
    }

    std::vector<std::vector<std::string>> m_rows; ///< the header first
};

} // namespace lapbench::test
