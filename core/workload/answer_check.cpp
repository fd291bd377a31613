#include "core/workload/answer_check.h"

#include <algorithm>

namespace lapbench {

AnswerCheck::AnswerCheck(const RequestTemplate& request) : m_bytes(request.expectBytes)
{
    for (const auto& [from, to] : request.expectStatus)
        for (int status = std::max(from, 0); status <= std::min(to, 999); ++status)
            m_right[static_cast<std::size_t>(status)] = true;
}

} // namespace lapbench
