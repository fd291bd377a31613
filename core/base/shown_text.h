#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lapbench {

/// Columns a text takes on a terminal: code points, wide ones twice, combining ones not.
std::size_t displayWidth(std::string_view text);

/// The text as one line without characters that would steer a terminal or turn the order in which it reads: results,
/// plans and the output of servers may come from anybody. Line breaks become a blank.
std::string withoutControls(std::string_view text);

/// As many columns of the text as fit, with "…" where something was cut off.
std::string fitted(std::string_view text, std::size_t columns);

} // namespace lapbench
