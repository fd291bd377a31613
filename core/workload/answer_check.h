#pragma once

#include "core/plan/plan.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lapbench {

/// What counts as a right answer, looked up without a search. Immutable; any thread.
class AnswerCheck {
public:
    explicit AnswerCheck(const Workload& workload);

    /// `status` is 0..999.
    bool isRightStatus(int status) const { return m_right[static_cast<std::size_t>(status)]; }
    bool isRightLength(std::uint64_t bytes) const { return !m_bytes || *m_bytes == bytes; }
    std::optional<std::uint64_t> bytes() const { return m_bytes; }

private:
    std::array<bool, 1000> m_right{};
    std::optional<std::uint64_t> m_bytes;
};

} // namespace lapbench
