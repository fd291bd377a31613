#include "core/server/output_reader.h"

#include <fcntl.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lapbench {

OutputReader::OutputReader(OwnedFd readingEnd, OnLine onLine) : m_fd(std::move(readingEnd)), m_onLine(std::move(onLine))
{
    ::fcntl(m_fd.get(), F_SETFL, O_NONBLOCK);
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
        m_stopReading.reset(ends[0]);
        m_stopWriting.reset(ends[1]);
    }
    m_reader = std::thread([this] { read(); });
    if (m_onLine)
        m_giver = std::thread([this] { handOver(); });
}

OutputReader::~OutputReader()
{
    stop();
}

void OutputReader::stop()
{
    m_stopWriting.reset();
    if (m_reader.joinable())
        m_reader.join();
    if (m_giver.joinable())
        m_giver.join();
}

std::vector<std::string> OutputReader::lastLines() const
{
    const std::lock_guard lock(m_mutex);
    return {m_last.begin(), m_last.end()};
}

void OutputReader::read()
{
    for (bool stopping = false; !stopping;) {
        std::array<pollfd, 2> ready = {{{m_fd.get(), POLLIN, 0}, {m_stopReading.get(), POLLIN, 0}}};
        if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR)
            break;
        stopping = ready[1].revents != 0;
        if (!readPiece())
            break;
    }
    m_splitter.finish([this](std::string line) { take(std::move(line)); });
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_news.notify_one();
}

/// All that is there now, at most a megabyte; false at the end of the output.
bool OutputReader::readPiece()
{
    std::array<char, 65536> piece;
    for (int i = 0; i < 16; ++i) {
        const ssize_t got = ::read(m_fd.get(), piece.data(), piece.size());
        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        m_splitter.feed({piece.data(), static_cast<std::size_t>(got)},
                        [this](std::string line) { take(std::move(line)); });
    }
    return true;
}

void OutputReader::take(std::string line)
{
    const std::lock_guard lock(m_mutex);
    if (m_onLine) {
        if (m_queue.size() < kQueuedLines)
            m_queue.push_back(line);
        else
            ++m_leftOut;
        m_news.notify_one();
    }
    m_last.push_back(std::move(line));
    if (m_last.size() > kKeptLines)
        m_last.pop_front();
}

void OutputReader::handOver()
{
    for (;;) {
        std::deque<std::string> lines;
        std::size_t leftOut = 0;
        bool ended = false;
        {
            std::unique_lock lock(m_mutex);
            m_news.wait(lock, [this] { return m_ended || !m_queue.empty(); });
            lines.swap(m_queue);
            leftOut = std::exchange(m_leftOut, 0);
            ended = m_ended;
        }
        for (const std::string& line : lines)
            m_onLine(line);
        if (leftOut > 0)
            m_onLine("(" + std::to_string(leftOut) + " lines left out)");
        if (ended)
            return;
    }
}

} // namespace lapbench
