#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lapbench {

/// Cuts a byte stream into lines of bounded length; what is beyond is dropped up to the next line end. The lines are
/// valid UTF-8 (other bytes become '?') without colours and other control characters, so that a line can go into JSON
/// and onto a terminal. One thread.
class LineSplitter {
public:
    static constexpr std::size_t kMaxLine = 4096;

    /// Calls `onLine(std::string)` for each line that is complete.
    template <typename OnLine>
    void feed(std::string_view data, OnLine onLine)
    {
        while (!data.empty()) {
            const std::size_t end = data.find('\n');
            const std::string_view piece = data.substr(0, end);
            m_line.append(piece.substr(0, kMaxLine - m_line.size()));
            m_begun = true;
            if (end == std::string_view::npos)
                return;
            onLine(take());
            data.remove_prefix(end + 1);
        }
    }

    /// The same for a last line without an end.
    template <typename OnLine>
    void finish(OnLine onLine)
    {
        if (m_begun)
            onLine(take());
    }

private:
    std::string take();

    std::string m_line;
    bool m_begun = false;
};

} // namespace lapbench
