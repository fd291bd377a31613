#pragma once

#include "core/plan/plan.h"

#include <array>
#include <string_view>

namespace lapbench {

/// The words a plan uses for the values of an enumeration, indexed by value.
template <typename Enum>
struct WordsOf;

template <>
struct WordsOf<RuntimeKind> {
    static constexpr std::array<std::string_view, 4> words = {"node", "deno", "bun", "program"};
};
template <>
struct WordsOf<TransportKind> {
    static constexpr std::array<std::string_view, 3> words = {"auto", "keep-alive", "curl"};
};
template <>
struct WordsOf<HttpVersion> {
    static constexpr std::array<std::string_view, 4> words = {"1.1", "2", "2-prior-knowledge", "3"};
};
template <>
struct WordsOf<OrderKind> {
    static constexpr std::array<std::string_view, 3> words = {"williams", "rotate", "fixed"};
};

/// "node", "keep-alive", "rotate" and so on, as in plans and results.
template <typename Enum>
constexpr std::string_view nameOf(Enum value)
{
    return WordsOf<Enum>::words[static_cast<std::size_t>(value)];
}

} // namespace lapbench
