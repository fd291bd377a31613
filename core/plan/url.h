#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace lapbench {

/// An http or https URL in the two parts that a load needs.
struct SplitUrl {
    std::string base; ///< "http://host:port", as written, or with https
    std::string path; ///< "/users?page=2": path and query, placeholders as written; "/" where there is none

    bool operator==(const SplitUrl&) const = default;
};

/// Takes "http[s]://host[:port][/path][?query]"; a fragment is dropped. Problems: another scheme, no host, a bad port,
/// a name with a password, blanks or control characters. Their path is the URL.
Result<SplitUrl> splitUrl(std::string_view url);

/// Whether a text is a path with or without a query: from the slash, percent-encoded, without a fragment.
bool isPathOfUrl(std::string_view text);

} // namespace lapbench
