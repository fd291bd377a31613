#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lapbench {

/// Edits (insert, delete, replace, swap neighbours) that turn one word into the other; the case of letters
/// is ignored. Optimal string alignment distance.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The known word closest to `word`, the first of equals; empty where none is near enough to be a slip of the fingers
/// (more than half of the longer word would have to change).
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// The cure for an unknown word: `did you mean "x"?`, or else every known word.
std::string suggest(std::string_view word, std::span<const std::string_view> known);

} // namespace lapbench
