#pragma once

#include "core/plan/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// What counts as a right answer, looked up without a search. Immutable; any thread.
class AnswerCheck {
public:
    explicit AnswerCheck(const RequestTemplate& request);

    /// `status` is 0..999.
    bool isRightStatus(int status) const { return m_right[static_cast<std::size_t>(status)]; }
    bool isRightLength(std::uint64_t bytes) const { return !m_bytes || *m_bytes == bytes; }
    std::optional<std::uint64_t> bytes() const { return m_bytes; }
    /// Whether the body's text is looked at.
    bool needsBody() const { return false; }
    /// What is wrong with the body, as a sentence; nothing where it is right.
    std::optional<std::string> bodyFault(std::string_view) const { return std::nullopt; }

private:
    std::array<bool, 1000> m_right{};
    std::optional<std::uint64_t> m_bytes;
};

} // namespace lapbench
