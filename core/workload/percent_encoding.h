#pragma once

#include <cstddef>
#include <string_view>

namespace lapbench {

/// Bytes that one byte of a value becomes at most.
inline constexpr std::size_t kPercentEncodedBytes = 3;

/// Writes a value that is put into a path or a query to `to`; returns the end. What a URI cannot hold (RFC 3986:
/// blanks, control and non-ASCII bytes, "<>\^`{|}, and # which would end it) is percent-encoded, and so is a % that
/// begins no code. All else stands, so that a value may be a whole path with a query.
char* writePercentEncoded(std::string_view value, char* to);

} // namespace lapbench
