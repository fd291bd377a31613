#include "app/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace lapbench {

namespace {

std::size_t terminalColumns()
{
    winsize size{};
    constexpr std::size_t kUsual = 80;
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

} // namespace

void complain(const std::string& sentence)
{
    std::fprintf(stderr, "lapbench-cli: %s\n", withoutControls(sentence).c_str());
}

void complain(const Problem& problem)
{
    complain(format(problem));
}

bool printOut(std::string_view text)
{
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

bool canAsk()
{
    return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

bool askYesNo(const std::string& question)
{
    std::fprintf(stderr, "%s [y/N] ", withoutControls(question).c_str());
    std::array<char, 64> answer{};
    if (std::fgets(answer.data(), answer.size(), stdin) == nullptr)
        return false;
    return answer[0] == 'y' || answer[0] == 'Y';
}

StatusLine::StatusLine() : m_live(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine()
{
    clear();
}

void StatusLine::show(std::string_view text)
{
    if (!m_live)
        return;
    m_shown = true;
    std::fprintf(stderr, "\r%s\x1b[K", fitted(text, terminalColumns() - 1).c_str());
    std::fflush(stderr);
}

void StatusLine::clear()
{
    if (!m_shown)
        return;
    m_shown = false;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
}

} // namespace lapbench
