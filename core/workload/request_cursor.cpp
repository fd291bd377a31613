#include "core/workload/request_cursor.h"

#include "core/workload/seeded.h"

#include <algorithm>

namespace lapbench {

RequestCursor::RequestCursor(const RequestScript& script) : m_script(script), m_cycle(script.mix())
{
    // Left unwritten: a body of a gigabyte takes memory when it is rendered, not before.
    std::size_t message = 0, body = 0;
    for (std::size_t i = 0; i < script.kinds().size(); ++i) {
        const RequestTexts& texts = script.texts(i);
        const std::size_t longest = texts.body.longest();
        message = std::max(message, texts.head.longest() + longest);
        if (texts.bodyVaries)
            body = std::max(body, longest);
    }
    m_message = std::make_unique_for_overwrite<char[]>(message);
    m_body = std::make_unique_for_overwrite<char[]>(body);
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
    char* const begin = m_message.get();
    char* end = begin;
    if (texts.bodyVaries) {
        const char* bodyEnd = texts.body.render(point, m_body.get());
        point.bodyLength = static_cast<std::size_t>(bodyEnd - m_body.get());
        end = std::copy(m_body.get(), m_body.get() + point.bodyLength, texts.head.render(point, begin));
    } else {
        end = texts.body.render(point, texts.head.render(point, begin));
    }
    return {begin, static_cast<std::size_t>(end - begin)};
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
    // The message's room is as large as any of its parts.
    const auto render = [&](const TextTemplate& text, std::string& out) {
        out.assign(m_message.get(), text.render(point, m_message.get()));
    };
    render(texts.target, parts.target);
    render(texts.body, parts.body);
    point.bodyLength = parts.body.size();
    for (std::size_t i = 0; i < texts.headers.size(); ++i)
        render(texts.headers[i], parts.headers[i].second);
    return parts;
}

} // namespace lapbench
