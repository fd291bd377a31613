#include "app/cli/control_reader.h"

#include "app/cli/terminal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>

namespace lapbench {

namespace {

/// Longer lines are no commands; what comes of them is thrown away.
constexpr std::size_t kLongestLine = 4096;

void obeyLines(std::string& buffer, SessionControl& control)
{
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
        const std::string line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        if (!line.empty() && !obey(line, control))
            complain(Problem{"--control", "unknown line \"" + line.substr(0, 80) + "\"",
                             "known are stop, stop-after-trial, pause, continue, skip INDEX"});
    }
    if (buffer.size() > kLongestLine)
        buffer.clear();
}

} // namespace

bool obey(std::string_view line, SessionControl& control)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line == "stop")
        control.stop();
    else if (line == "stop-after-trial")
        control.stopAfterTrial();
    else if (line == "pause")
        control.pause();
    else if (line == "continue")
        control.resume();
    else if (line.starts_with("skip ")) {
        std::size_t index = 0;
        const char* const end = line.data() + line.size();
        const auto read = std::from_chars(line.data() + 5, end, index);
        if (read.ec != std::errc() || read.ptr != end)
            return false;
        control.skip(index);
    } else
        return false;
    return true;
}

ControlReader::ControlReader(int fd, SessionControl& control)
    : m_wake(::eventfd(0, EFD_CLOEXEC)), m_thread([this, fd, &control] { read(fd, control); })
{}

ControlReader::~ControlReader()
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.get(), &one, sizeof one);
    m_thread.join();
}

void ControlReader::read(int fd, SessionControl& control) const
{
    std::string buffer;
    std::array<char, 1024> chunk{};
    while (true) {
        std::array<pollfd, 2> waiting = {{{fd, POLLIN, 0}, {m_wake.get(), POLLIN, 0}}};
        if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
            return;
        if (waiting[1].revents != 0)
            return;
        if (waiting[0].revents == 0)
            continue;
        const ssize_t got = ::read(fd, chunk.data(), chunk.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0) {
            control.stop();
            return;
        }
        buffer.append(chunk.data(), static_cast<std::size_t>(got));
        obeyLines(buffer, control);
    }
}

} // namespace lapbench
