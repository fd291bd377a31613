#pragma once

#include <QByteArray>
#include <QByteArrayList>

namespace lapbench {

/// Cuts a byte stream into lines; what follows the last line end waits for more. Bounded: a line longer than the limit
/// is dropped up to its end and counted.
class LineBuffer {
public:
    explicit LineBuffer(qsizetype maxLine = kMaxLine) : m_maxLine(maxLine) {}

    /// The lines that `chunk` completes, without line ends; empty lines are left out.
    QByteArrayList take(const QByteArray& chunk);
    /// What is left without a line end; the buffer is empty afterwards.
    QByteArray rest();
    int dropped() const { return m_dropped; }

    /// A trial of one hour with a histogram a second is about 10 MB.
    static constexpr qsizetype kMaxLine = 64 << 20;

private:
    qsizetype m_maxLine;
    QByteArray m_pending;
    bool m_dropping = false;
    int m_dropped = 0;
};

} // namespace lapbench
