#include "ui/bridge/line_buffer.h"

#include <utility>

namespace lapbench {

QByteArrayList LineBuffer::take(const QByteArray& chunk)
{
    QByteArrayList lines;
    qsizetype start = 0;
    while (start < chunk.size()) {
        const qsizetype end = chunk.indexOf('\n', start);
        const qsizetype length = (end < 0 ? chunk.size() : end) - start;
        if (!m_dropping && m_pending.size() + length > m_maxLine) {
            m_dropping = true;
            ++m_dropped;
            m_pending.clear();
        }
        if (!m_dropping)
            m_pending.append(chunk.constData() + start, length);
        if (end < 0)
            break;
        if (m_pending.endsWith('\r'))
            m_pending.chop(1);
        if (!m_dropping && !m_pending.isEmpty())
            lines.append(m_pending);
        m_pending.clear();
        m_dropping = false;
        start = end + 1;
    }
    return lines;
}

QByteArray LineBuffer::rest()
{
    m_dropping = false;
    return std::exchange(m_pending, QByteArray());
}

} // namespace lapbench
