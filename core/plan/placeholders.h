#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// A stretch of a text of a request: plain, or a placeholder as its words.
struct TextPart {
    std::string plain;
    std::vector<std::string> words; ///< those between {{ and }}
    bool isPlaceholder = false;

    bool operator==(const TextPart&) const = default;
};

/// Splits "/users/{{random_int 1 9}}" at its placeholders. Words are separated by blanks; in double quotes a word may
/// hold blanks and }}, and there \" and \\ are a quote and a backslash. `\{{` is a plain {{. Problems (path left empty
/// for the caller): a placeholder or a quote that is not closed.
Result<std::vector<TextPart>> splitPlaceholders(std::string_view text);

/// The text with every placeholder, from {{ to }}, overwritten by as many `x`: what is plain in it stands where it
/// stood. One that is not closed goes to the end.
std::string maskPlaceholders(std::string_view text);

} // namespace lapbench
