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
/// A number unrounded, without an exponent; empty where it is not known.
std::string formatExact(std::optional<double> value);
/// RFC 4180, lines end with a line feed.
std::string formatCsv(const TextTable& table);

} // namespace lapbench
