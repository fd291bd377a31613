#pragma once

#include <string>
#include <string_view>

namespace lapbench {

/// Appends a value that is put into a path or a query to `out`. What a URI cannot hold (RFC 3986: blanks, control and
/// non-ASCII bytes, "<>\^`{|}, and # which would end it) is percent-encoded, and so is a % that begins no code. All
/// else stands, so that a value may be a whole path with a query.
void appendPercentEncoded(std::string_view value, std::string& out);

} // namespace lapbench
