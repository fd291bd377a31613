#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Rows of short texts under a header. The first column is aligned to the left, the others to the right.
struct TextTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; ///< each as long as the header
    bool allLeft = false;                       ///< every column to the left: words, not numbers
};

/// For a terminal: columns two blanks apart, aligned by what the texts take there, a line under the header.
std::string formatAligned(const TextTable& table);
std::string formatMarkdown(const TextTable& table);
/// The text as one line of Markdown (CommonMark) that shows as it is: no markup, no HTML, no entity in it.
std::string escapedMarkdown(std::string_view text);
/// A number unrounded, without an exponent; empty where it is not known.
std::string formatExact(std::optional<double> value);
/// RFC 4180, but for lines that end with a line feed; `lineEnd` "\r\n" follows it to the letter. A text that a
/// spreadsheet would take for a formula, since it begins with = + - or @ and is no number, gets an apostrophe before
/// it.
std::string formatCsv(const TextTable& table, std::string_view lineEnd = "\n");

} // namespace lapbench
