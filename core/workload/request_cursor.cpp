#include "core/workload/request_cursor.h"

#include "core/workload/seeded.h"

#include <algorithm>

namespace lapbench {

RequestCursor::RequestCursor(const RequestScript& script) : m_script(script), m_cycle(script.mix())
{
    std::size_t message = 0, body = 0;
    for (std::size_t i = 0; i < script.kinds().size(); ++i) {
        const RequestTexts& texts = script.texts(i);
        const std::size_t longest = texts.body.longest();
        message = std::max(message, texts.head.longest() + longest);
        if (texts.bodyVaries)
            body = std::max(body, longest);
    }
    m_message.reserve(message);
    m_body.reserve(body);
}

RequestPoint RequestCursor::pointOf(std::uint64_t number, const RequestMix::Turn& turn) const
{
    RequestPoint point{splitMix64(m_script.seed(), number), turn.occurrence, {}, 0};
    if (m_script.texts(turn.kind).readsClock)
        point.now = std::chrono::system_clock::now();
    return point;
}

std::string_view RequestCursor::message(std::uint64_t number)
{
    const RequestMix::Turn turn = turnOf(number);
    if (const RequestKind& kind = m_script.kinds()[turn.kind]; kind.constant)
        return kind.prepared.bytes;
    const RequestTexts& texts = m_script.texts(turn.kind);
    RequestPoint point = pointOf(number, turn);
    m_message.clear();
    if (texts.bodyVaries) {
        m_body.clear();
        texts.body.render(point, m_body);
        point.bodyLength = m_body.size();
        texts.head.render(point, m_message);
        m_message += m_body;
    } else {
        texts.head.render(point, m_message);
        texts.body.render(point, m_message);
    }
    return m_message;
}

void RequestCursor::makeParts()
{
    for (std::size_t i = 0; i < m_script.kinds().size(); ++i) {
        PreparedRequest& parts = m_parts.emplace_back();
        if (m_script.kinds()[i].constant)
            continue;
        const RequestTexts& texts = m_script.texts(i);
        parts = m_script.kinds()[i].prepared;
        parts.target.reserve(texts.target.longest());
        for (std::size_t j = 0; j < texts.headers.size(); ++j)
            parts.headers[j].second.reserve(texts.headers[j].longest());
        parts.body.reserve(texts.body.longest());
    }
}

const PreparedRequest& RequestCursor::parts(std::uint64_t number)
{
    const RequestMix::Turn turn = turnOf(number);
    if (const RequestKind& kind = m_script.kinds()[turn.kind]; kind.constant)
        return kind.prepared;
    if (m_parts.empty())
        makeParts();
    const RequestTexts& texts = m_script.texts(turn.kind);
    PreparedRequest& parts = m_parts[turn.kind];
    RequestPoint point = pointOf(number, turn);
    const auto render = [&](const TextTemplate& text, std::string& out) {
        out.clear();
        text.render(point, out);
    };
    render(texts.target, parts.target);
    render(texts.body, parts.body);
    point.bodyLength = parts.body.size();
    for (std::size_t i = 0; i < texts.headers.size(); ++i)
        render(texts.headers[i], parts.headers[i].second);
    return parts;
}

} // namespace lapbench
