#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lapbench {

/// "a", "a and b", "a, b and c".
std::string formatList(const std::vector<std::string>& items);

/// A to Z as a to z.
std::string lowered(std::string text);

/// The same with the first 8 and "and 12 more" where there are many.
std::string formatNames(std::vector<std::string> names);

/// "1,200".
std::string formatGrouped(std::uint64_t number);
/// "1,200 bytes", "1 byte".
std::string formatGroupedBytes(std::uint64_t number);

/// " (10 % smaller)": a size beside another; nothing where they are equal, or the other is 0.
std::string formatShareOf(std::uint64_t size, std::uint64_t reference);

} // namespace lapbench
