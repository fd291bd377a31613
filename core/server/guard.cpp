#include "core/base/clock.h"
#include "core/base/owned_fd.h"
#include "core/base/processors.h"
#include "core/server/guard_report.h"
#include "core/server/process_tree.h"
#include "core/server/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <set>

// The guard is one thread and does all it has to do by itself: it must work when Lapbench is gone.

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr Nanoseconds kGrace = std::chrono::milliseconds(500); ///< between TERM and KILL
constexpr Nanoseconds kLongestEnd = std::chrono::seconds(10);  ///< then what cannot be killed is left alone
constexpr int kEndPollMs = 10;

struct Orders {
    int lifeFd = -1;   ///< reading end; it closes when Lapbench is gone
    int reportFd = -1; ///< writing end of the reports
    std::vector<fs::path> temporary;
    std::vector<unsigned> cores;
    std::vector<char*> server; ///< argv, ended by a null pointer
    fs::path folder;
};

std::optional<Orders> parseOrders(int argc, char** argv)
{
    Orders orders;
    int at = 2;
    for (; at + 1 < argc && std::strcmp(argv[at], "--") != 0; at += 2) {
        const std::string_view option = argv[at], value = argv[at + 1];
        if (option == "--life")
            std::from_chars(value.data(), value.data() + value.size(), orders.lifeFd);
        else if (option == "--report")
            std::from_chars(value.data(), value.data() + value.size(), orders.reportFd);
        else if (option == "--remove")
            orders.temporary.emplace_back(value);
        else if (option == "--folder")
            orders.folder = value;
        else if (option == "--cores")
            orders.cores = parseProcessors(value).value_or(orders.cores);
        else
            return std::nullopt;
    }
    for (++at; at < argc; ++at)
        orders.server.push_back(argv[at]);
    if (orders.lifeFd < 0 || orders.reportFd < 0 || orders.server.empty())
        return std::nullopt;
    orders.server.push_back(nullptr);
    return orders;
}

/// What the child tells the guard before and instead of its exec.
struct ExecNote {
    std::int64_t timeNs = 0;
    int error = 0;
    bool inFolder = false;
};

[[noreturn]] void becomeServer(const Orders& orders, pid_t guard, int noteFd)
{
    // A group of its own, so that a script's `kill 0` does not end the guard.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != guard)
        ::_exit(127);
    std::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ExecNote note;
    if (!keepThreadTo(orders.cores)) {
        note.error = errno;
    } else if (!orders.folder.empty() && ::chdir(orders.folder.c_str()) != 0) {
        note.error = errno;
        note.inFolder = true;
    } else {
        note.timeNs = steadyNs();
        if (::write(noteFd, &note, sizeof note) == sizeof note)
            ::execvp(orders.server[0], orders.server.data());
        note.error = errno;
    }
    if (::write(noteFd, &note, sizeof note) != sizeof note)
        ::_exit(126);
    ::_exit(127);
}

class Guard {
public:
    explicit Guard(Orders orders) : m_orders(std::move(orders)) {}

    int run()
    {
        prepare();
        if (startServer())
            waitForTheEnd();
        const bool allGone = endAll();
        for (const fs::path& folder : m_orders.temporary) {
            std::error_code ignored;
            if (folder.is_absolute() && folder != folder.root_path())
                fs::remove_all(folder, ignored);
        }
        return allGone ? 0 : 1;
    }

private:
    void prepare()
    {
        ::prctl(PR_SET_NAME, "lapbench-guard");
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        std::signal(SIGPIPE, SIG_IGN);
        sigset_t watched;
        sigemptyset(&watched);
        for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
            sigaddset(&watched, signal);
        ::sigprocmask(SIG_BLOCK, &watched, nullptr);
        // Whatever else Lapbench had open is not for the guard to hold on to, nor for the server to inherit.
        const unsigned low = static_cast<unsigned>(std::min(m_orders.lifeFd, m_orders.reportFd));
        const unsigned high = static_cast<unsigned>(std::max(m_orders.lifeFd, m_orders.reportFd));
        if (low > STDERR_FILENO + 1)
            ::close_range(STDERR_FILENO + 1, low - 1, 0);
        if (high > low + 1)
            ::close_range(low + 1, high - 1, 0);
        ::close_range(high + 1, ~0u, 0);
        for (const int fd : {m_orders.lifeFd, m_orders.reportFd})
            ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        m_signalFd.reset(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    bool startServer()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            return reportFailure({0, errno, false});
        const OwnedFd reading(ends[0]);
        OwnedFd writing(ends[1]);
        const pid_t guard = ::getpid();
        m_server = ::fork();
        if (m_server < 0)
            return reportFailure({0, errno, false});
        if (m_server == 0)
            becomeServer(m_orders, guard, writing.get());
        writing.reset();
        // Only the server and its children hold the output from here on, so that its end is theirs.
        if (const OwnedFd null(::open("/dev/null", O_WRONLY | O_CLOEXEC)); null.open())
            for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
                ::dup2(null.get(), fd);
        ExecNote note, next;
        if (::read(reading.get(), &note, sizeof note) != sizeof note)
            note.error = ECHILD;
        else if (note.error == 0 && ::read(reading.get(), &next, sizeof next) == sizeof next)
            note = next;
        if (note.error != 0)
            return reportFailure(note);
        GuardReport report;
        report.pid = m_server;
        report.execNs = note.timeNs;
        send(report);
        return true;
    }

    bool reportFailure(const ExecNote& note)
    {
        GuardReport report;
        report.kind = GuardReport::Kind::failed;
        report.error = note.error;
        report.inFolder = note.inFolder;
        send(report);
        return false;
    }

    void send(const GuardReport& report)
    {
        const std::string line = formatReport(report);
        // Lapbench may be gone; then the life pipe says so.
        while (::write(m_orders.reportFd, line.data(), line.size()) < 0 && errno == EINTR) {
        }
    }

    void waitForTheEnd()
    {
        for (;;) {
            std::array<pollfd, 2> ready = {{{m_orders.lifeFd, POLLIN, 0}, {m_signalFd.get(), POLLIN, 0}}};
            if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR)
                return;
            if (ready[0].revents != 0 || toldToEnd())
                return;
            reap();
            reportEnd();
        }
    }

    /// Takes the pending signals; whether one of them asks for the end.
    bool toldToEnd()
    {
        bool told = false;
        for (signalfd_siginfo info; ::read(m_signalFd.get(), &info, sizeof info) == sizeof info;)
            told |= info.ssi_signo != SIGCHLD;
        return told;
    }

    /// Waits for every child that has ended. As the subreaper of all, the guard has children as long as any descendant
    /// is left.
    void reap()
    {
        for (;;) {
            int status = 0;
            const pid_t pid = ::waitpid(-1, &status, WNOHANG);
            if (pid == m_server)
                m_serverStatus = status;
            if (pid < 0 && errno == ECHILD)
                m_alone = true;
            if (pid <= 0)
                return;
        }
    }

    /// A launcher that ends well and leaves the server running in the background has not ended the server.
    void reportEnd()
    {
        if (m_reported || !m_serverStatus || (*m_serverStatus == 0 && !m_alone))
            return;
        m_reported = true;
        GuardReport report;
        report.kind = GuardReport::Kind::ended;
        report.status = *m_serverStatus;
        send(report);
    }

    bool endAll()
    {
        const std::int64_t start = steadyNs();
        std::set<pid_t> told;
        for (;;) {
            toldToEnd();
            reap();
            if (m_alone)
                return true;
            const std::int64_t sinceNs = steadyNs() - start;
            if (sinceNs > kLongestEnd.count())
                return false;
            for (const pid_t pid : descendantsOf("/proc", ::getpid())) {
                if (sinceNs >= kGrace.count())
                    ::kill(pid, SIGKILL);
                else if (told.insert(pid).second)
                    ::kill(pid, SIGTERM);
            }
            pollfd ready{m_signalFd.get(), POLLIN, 0};
            ::poll(&ready, 1, kEndPollMs);
        }
    }

    Orders m_orders;
    OwnedFd m_signalFd;
    pid_t m_server = -1;
    std::optional<int> m_serverStatus;
    bool m_alone = false;
    bool m_reported = false;
};

} // namespace

int guardMain(int argc, char** argv)
{
    auto orders = parseOrders(argc, argv);
    if (!orders)
        return 2;
    return Guard(std::move(*orders)).run();
}

} // namespace lapbench
