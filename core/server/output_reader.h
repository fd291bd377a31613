#pragma once

#include "core/base/owned_fd.h"
#include "core/server/line_splitter.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lapbench {

/// Reads the output of a server for as long as anyone may write to it, keeps the last lines, and gives each line to
/// `onLine` on a thread of its own. However much comes and however long `onLine` takes, the server never waits and
/// memory stays bounded: lines that do not fit the queue are left out, and one line says how many. Made and destroyed
/// by one thread.
class OutputReader {
public:
    using OnLine = std::function<void(const std::string&)>;
    static constexpr std::size_t kKeptLines = 20;
    static constexpr std::size_t kQueuedLines = 1000;

    OutputReader(OwnedFd readingEnd, OnLine onLine);
    ~OutputReader(); ///< stop()
    OutputReader(const OutputReader&) = delete;
    OutputReader& operator=(const OutputReader&) = delete;

    std::vector<std::string> lastLines() const; ///< any thread
    /// Reads what is there, hands it all over and joins; waits for an `onLine` that runs. Idempotent.
    void stop();

private:
    void read();
    bool readPiece();
    void take(std::string line);
    void handOver();

    OwnedFd m_fd;
    OwnedFd m_stopReading, m_stopWriting;
    OnLine m_onLine;
    LineSplitter m_splitter; ///< of the reading thread

    mutable std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_news;
    std::deque<std::string> m_last;
    std::deque<std::string> m_queue;
    std::size_t m_leftOut = 0;
    bool m_ended = false;

    std::thread m_reader, m_giver;
};

} // namespace lapbench
