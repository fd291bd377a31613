#include "core/result/export/text_table.h"

#include "core/base/shown_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace lapbench {

namespace {

std::string padded(const std::string& text, std::size_t width, bool left)
{
    const std::size_t have = displayWidth(text);
    const std::string blanks(width > have ? width - have : 0, ' ');
    return left ? text + blanks : blanks + text;
}

/// Whether a number is all there is to the text: such a cell is left as it is, whatever it begins with.
bool isNumber(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::string csvCell(const std::string& raw)
{
    std::string text = withoutControls(raw);
    // A spreadsheet would take it for a formula.
    if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos && !isNumber(text))
        text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// Without markup and HTML within a line.
std::string escapedSpans(const std::string& line)
{
    std::string escaped;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : ' ';
        const bool opensTag = c == '<' && (std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' ||
                                           next == '!' || next == '?');
        // An open bracket begins a link, and a closing one would end the text of an image before its address.
        if (opensTag || std::string_view("|\\`*_[]~").find(c) != std::string_view::npos)
            escaped += '\\';
        if (c == '&' && next != ' ')
            escaped += "&amp;";
        else
            escaped += c;
    }
    return escaped;
}

/// Where a line has the sign that would make it a heading, a quotation, a list or a rule; npos where it has none.
std::size_t blockMark(const std::string& line)
{
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const std::size_t after = digits == 0 ? line.find_first_not_of('#') : digits + 1;
    const bool numbered = digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
    const bool heading = line.starts_with('#') && (after == std::string::npos || line[after] == ' ');
    const bool item = !line.empty() && std::string_view(">-+").find(line.front()) != std::string_view::npos &&
                      (line.front() == '>' ? !line.starts_with(">=") : line.size() > 1 && line[1] == ' ');
    const bool rule = line.size() > 2 && std::string_view("-=").find(line.front()) != std::string_view::npos &&
                      line.find_first_not_of(line.front()) == std::string::npos;
    if (numbered && (after >= line.size() || line[after] == ' '))
        return digits;
    return heading || item || rule ? 0 : std::string::npos;
}

} // namespace

std::string formatAligned(const TextTable& table)
{
    std::vector<std::size_t> widths(table.header.size());
    for (std::size_t column = 0; column < widths.size(); ++column) {
        widths[column] = displayWidth(table.header[column]);
        for (const auto& row : table.rows)
            widths[column] = std::max(widths[column], displayWidth(withoutControls(row[column])));
    }
    std::string text;
    const auto addRow = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t column = 0; column < widths.size(); ++column)
            line += (column == 0 ? "" : "  ") +
                    padded(withoutControls(row[column]), widths[column], column == 0 || table.allLeft);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    addRow(table.header);
    std::size_t whole = widths.empty() ? 0 : 2 * (widths.size() - 1);
    for (const std::size_t width : widths)
        whole += width;
    for (std::size_t i = 0; i < whole; ++i)
        text += "─";
    text += "\n";
    for (const auto& row : table.rows)
        addRow(row);
    return text;
}

std::string escapedMarkdown(std::string_view text)
{
    const std::string clean = withoutControls(text);
    const std::size_t mark = blockMark(clean);
    return mark == std::string::npos ? escapedSpans(clean)
                                     : clean.substr(0, mark) + "\\" + escapedSpans(clean.substr(mark));
}

std::string formatMarkdown(const TextTable& table)
{
    std::string text;
    const auto addRow = [&](const std::vector<std::string>& row) {
        text += "|";
        for (const std::string& cell : row)
            text += " " + escapedMarkdown(cell) + " |";
        text += "\n";
    };
    addRow(table.header);
    text += "|";
    for (std::size_t column = 0; column < table.header.size(); ++column)
        text += column == 0 || table.allLeft ? " --- |" : " ---: |";
    text += "\n";
    for (const auto& row : table.rows)
        addRow(row);
    return text;
}

std::string formatExact(std::optional<double> value)
{
    if (!value)
        return {};
    std::array<char, 400> text{}; // the longest double without an exponent has 327 characters
    const auto end = std::to_chars(text.data(), text.data() + text.size(), *value, std::chars_format::fixed).ptr;
    return std::string(text.data(), end);
}

std::string formatCsv(const TextTable& table, std::string_view lineEnd)
{
    std::string text;
    const auto addRow = [&](const std::vector<std::string>& row) {
        for (std::size_t column = 0; column < row.size(); ++column)
            text += (column == 0 ? "" : ",") + csvCell(row[column]);
        text += lineEnd;
    };
    addRow(table.header);
    for (const auto& row : table.rows)
        addRow(row);
    return text;
}

} // namespace lapbench
