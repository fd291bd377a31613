#pragma once

#include "core/plan/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// What counts as a right answer; its status is looked up without a search. Immutable; any thread.
class AnswerCheck {
public:
    explicit AnswerCheck(const RequestTemplate& request);

    /// `status` is 0..999.
    bool isRightStatus(int status) const { return m_right[static_cast<std::size_t>(status)]; }
    bool isRightLength(std::uint64_t bytes) const { return !m_bytes || *m_bytes == bytes; }
    std::optional<std::uint64_t> bytes() const { return m_bytes; }
    /// Whether the body's text is looked at.
    bool needsBody() const { return !m_contains.empty() || !m_values.empty(); }
    /// What is wrong with the whole body, as a sentence; nothing where it is right. A text is compared with the
    /// characters of a JSON string; with everything else as the JSON it is, so that 42 and 42.0 are the same.
    std::optional<std::string> bodyFault(std::string_view body) const;

private:
    /// What is expected at a JSON pointer (RFC 6901).
    struct Value {
        std::string pointer;
        std::vector<std::string> steps; ///< the pointer's, unescaped
        std::string text;
    };
    std::optional<std::string> valuesFault(std::string_view body) const;

    std::array<bool, 1000> m_right{};
    std::optional<std::uint64_t> m_bytes;
    std::string m_contains;
    std::vector<Value> m_values;
};

} // namespace lapbench
