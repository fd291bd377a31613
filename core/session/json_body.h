#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// The body of an answer as the audit compares it. Immutable; any thread.
struct JsonBody {
    bool isJson = false;     ///< a JSON object or list; anything else is compared as it is
    std::string canonical;   ///< keys sorted, no white space, without the ignored fields; of no JSON: the body itself
    bool anyIgnored = false; ///< it has one of the ignored fields

    /// `ignore` holds JSON pointers (RFC 6901); what is none of this body is passed over.
    static JsonBody read(const std::string& body, const std::vector<std::string>& ignore);
};

/// Where two bodies differ: the JSON pointer of the first value that does, in the order of the keys;
/// "body" where that is the whole, or one of them is no JSON. For two bodies that differ.
std::string firstDifference(const JsonBody& a, const JsonBody& b);

} // namespace lapbench
