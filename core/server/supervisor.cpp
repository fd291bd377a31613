#include "core/server/supervisor.h"

#include "core/base/owned_fd.h"
#include "core/base/processors.h"
#include "core/base/units.h"
#include "core/net/http_get.h"
#include "core/server/guard_report.h"
#include "core/server/output_reader.h"
#include "core/server/ports.h"
#include "core/server/process_tree.h"
#include "core/server/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace lapbench {

namespace {

constexpr int kPollMs = 3; ///< between two probes
constexpr Nanoseconds kProbeTimeout = std::chrono::seconds(5);
constexpr std::size_t kProbeBytes = 64u << 10;
constexpr Nanoseconds kForeignPatience = std::chrono::seconds(1);
constexpr Nanoseconds kGuardStart = std::chrono::seconds(10);
constexpr Nanoseconds kGuardEnd = std::chrono::seconds(12); ///< a little longer than the guard itself tries

struct Pipe {
    OwnedFd reading, writing;
};

/// Close-on-exec at both ends, and none of the numbers the standard streams have.
std::optional<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return std::nullopt;
    Pipe pipe{OwnedFd(ends[0]), OwnedFd(ends[1])};
    for (OwnedFd* end : {&pipe.reading, &pipe.writing})
        if (end->get() <= STDERR_FILENO)
            end->reset(::fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return pipe;
}

ServerExit exitFrom(int status)
{
    if (WIFSIGNALED(status))
        return {true, WTERMSIG(status)};
    return {false, WEXITSTATUS(status)};
}

/// For the case that the guard itself was killed: what is left of the session it had opened.
void killSession(pid_t session)
{
    constexpr Nanoseconds kLongest = std::chrono::seconds(2);
    for (const std::int64_t start = steadyNs(); steadyNs() - start < kLongest.count();) {
        bool any = false;
        for (const ProcessStat& process : allProcesses("/proc")) {
            if (process.session != session || process.pid == session || !process.alive())
                continue;
            any = true;
            ::kill(process.pid, SIGKILL);
        }
        if (!any)
            return;
        ::poll(nullptr, 0, 10);
    }
}

} // namespace

std::string ServerExit::text() const
{
    if (!bySignal)
        return "exit code " + std::to_string(code);
    const char* name = ::sigdescr_np(code);
    return "signal " + std::to_string(code) + (name ? std::string(" (") + name + ")" : "");
}

struct Supervisor::State {
    std::string program;
    std::uint16_t port = 0;
    pid_t guardPid = -1;
    pid_t serverPid = -1;
    std::int64_t execNs = 0;
    Nanoseconds startupTime{};
    OwnedFd life;   ///< the only writing end; its closing ends everything
    OwnedFd report; ///< reading end
    std::string reportText;
    std::optional<GuardReport> started; ///< or failed
    std::optional<ServerExit> ended;
    bool guardGone = false;
    bool stopped = false;
    std::unique_ptr<OutputReader> output;

    State() = default;
    ~State() { stop(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port); }

    Result<void> launch(const ServerCommand& command, const std::filesystem::path& guardProgram, OutputLine onLine)
    {
        auto lifePipe = makePipe(), reportPipe = makePipe(), outputPipe = makePipe();
        if (!lifePipe || !reportPipe || !outputPipe)
            return Problem{program, std::string("cannot be started: ") + std::strerror(errno), "close other programs"};
        ProgramStart guard;
        guard.argv = {guardProgram.string(),
                      kGuardCommand,
                      "--life",
                      std::to_string(lifePipe->reading.get()),
                      "--report",
                      std::to_string(reportPipe->writing.get())};
        if (!command.folder.empty())
            guard.argv.insert(guard.argv.end(), {"--folder", command.folder.string()});
        for (const auto& folder : command.temporaryFolders)
            guard.argv.insert(guard.argv.end(), {"--remove", folder.string()});
        if (!command.cores.empty())
            guard.argv.insert(guard.argv.end(), {"--cores", formatProcessors(command.cores)});
        guard.argv.emplace_back("--");
        guard.argv.insert(guard.argv.end(), command.argv.begin(), command.argv.end());
        guard.env = command.env;
        guard.env.emplace_back("PORT", std::to_string(port));
        guard.outputFd = outputPipe->writing.get();
        guard.keepFds = {lifePipe->reading.get(), reportPipe->writing.get()};
        guard.ownSession = true;
        auto pid = startProgram(guard);
        if (!pid)
            return pid.problem();
        guardPid = pid.value();
        life = std::move(lifePipe->writing);
        report = std::move(reportPipe->reading);
        ::fcntl(report.get(), F_SETFL, O_NONBLOCK);
        output = std::make_unique<OutputReader>(std::move(outputPipe->reading), std::move(onLine));
        return {};
    }

    /// Waits up to `waitMs` for news of the guard and takes them in.
    void readReports(int waitMs)
    {
        if (guardGone) {
            ::poll(nullptr, 0, waitMs);
            return;
        }
        pollfd ready{report.get(), POLLIN, 0};
        if (::poll(&ready, 1, waitMs) <= 0)
            return;
        std::array<char, 512> piece;
        ssize_t got = 0;
        while ((got = ::read(report.get(), piece.data(), piece.size())) > 0)
            reportText.append(piece.data(), static_cast<std::size_t>(got));
        if (got == 0)
            guardGone = true;
        for (std::size_t end; (end = reportText.find('\n')) != std::string::npos; reportText.erase(0, end + 1)) {
            const auto news = parseReport(std::string_view(reportText).substr(0, end));
            if (news && news->kind == GuardReport::Kind::ended)
                ended = exitFrom(news->status);
            else if (news)
                started = news;
        }
    }

    /// Whether the server is over, in whatever way.
    bool over()
    {
        if (guardGone && !ended && !stopped)
            ended = ServerExit{true, SIGKILL};
        return ended.has_value();
    }

    Result<void> waitForStart(const std::atomic<bool>* stopFlag)
    {
        const std::int64_t begin = steadyNs();
        while (!started && !guardGone && steadyNs() - begin < kGuardStart.count()) {
            if (stopFlag && stopFlag->load())
                return Problem{program, "was stopped before it was started", ""};
            readReports(20);
        }
        if (!started)
            return Problem{program, "could not be started: the guard process does not answer",
                           "check that lapbench-cli itself can be run"};
        if (started->kind == GuardReport::Kind::failed)
            return Problem{
                program,
                std::string(started->inFolder ? "its working folder cannot be entered: " : "cannot be started: ") +
                    std::strerror(started->error),
                started->inFolder ? "check the folder" : "check the name, and that it is installed"};
        serverPid = started->pid;
        execNs = started->execNs;
        return {};
    }

    Result<void> waitUntilReady(const ServerCommand& command, const std::atomic<bool>* stopFlag)
    {
        const auto stopAsked = [&] { return stopFlag && stopFlag->load(); };
        const auto breakOff = [&] {
            readReports(0);
            return over() || stopAsked();
        };
        std::string last;
        std::int64_t foreignSinceNs = 0;
        for (;;) {
            if (stopAsked())
                return Problem{program, "was stopped before it was ready", ""};
            if (over())
                return Problem{program, "ended with " + ended->text() + " before it was ready", ""};
            const Nanoseconds left = command.readyTimeout - Nanoseconds(steadyNs() - execNs);
            if (left <= Nanoseconds::zero())
                return notReady(command, last);
            const auto answer =
                httpGet({url() + command.readyPath, std::min(left, kProbeTimeout), kProbeBytes}, breakOff);
            const std::int64_t answeredNs = steadyNs();
            if (!answer) {
                // The last probe is cut short by the time limit and says less than the one before.
                if (last.empty() || answeredNs - execNs < command.readyTimeout.count())
                    last = answer.problem().message;
            } else if (answer.value().status >= 500) {
                last = "the answer has status " + std::to_string(answer.value().status);
            } else {
                const PortOwnership ownership = portOwnership("/proc", port, descendantsOf("/proc", guardPid));
                if (ownership.owned) {
                    startupTime = Nanoseconds(answeredNs - execNs);
                    return {};
                }
                if (!ownership.foreign.empty()) {
                    if (foreignSinceNs == 0)
                        foreignSinceNs = answeredNs;
                    if (answeredNs - foreignSinceNs > kForeignPatience.count())
                        return Problem{"port " + std::to_string(port),
                                       "is answered by " + ownership.foreign + ", not by the server that was started",
                                       "end that program or choose another port"};
                }
            }
            readReports(kPollMs);
        }
    }

    Problem notReady(const ServerCommand& command, const std::string& last) const
    {
        const std::string places = listeningPlaces("/proc", descendantsOf("/proc", guardPid));
        return {program,
                "was not ready within " + formatDuration(command.readyTimeout) + ": GET " + url() + command.readyPath +
                    ": " + last + (places.empty() ? "" : " (it listens on " + places + ")"),
                "the server must listen on 127.0.0.1 at the port in the environment variable PORT and answer that path "
                "with a status below 500"};
    }

    void stop()
    {
        if (stopped)
            return;
        stopped = true;
        life.reset();
        if (guardPid > 0) {
            for (const std::int64_t begin = steadyNs(); !guardGone && steadyNs() - begin < kGuardEnd.count();)
                readReports(100);
            if (!guardGone)
                ::kill(guardPid, SIGKILL);
            // Looked at before it is reaped, so that its number cannot belong to someone else yet.
            siginfo_t how{};
            while (::waitid(P_PID, static_cast<id_t>(guardPid), &how, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
            }
            if (how.si_code != CLD_EXITED)
                killSession(guardPid);
            ::waitpid(guardPid, nullptr, 0);
        }
        if (output)
            output->stop();
    }
};

Result<std::unique_ptr<Supervisor>> Supervisor::start(const ServerCommand& command,
                                                      const std::filesystem::path& guardProgram, OutputLine onLine,
                                                      const std::atomic<bool>* stop,
                                                      std::vector<std::string>* lastOutput)
{
    if (command.argv.empty())
        return Problem{"", "there is no program to start", "name one"};
    if (auto checked = checkProcessors(command.cores, "affinity.server"); !checked)
        return checked.problem();
    const auto port = choosePort(command.port);
    if (!port)
        return port.problem();
    auto state = std::make_unique<State>();
    state->program = command.argv[0];
    state->port = port.value();
    auto ready = state->launch(command, guardProgram, std::move(onLine));
    if (ready)
        ready = state->waitForStart(stop);
    if (ready)
        ready = state->waitUntilReady(command, stop);
    if (ready)
        return std::unique_ptr<Supervisor>(new Supervisor(std::move(state)));

    state->stop();
    Problem problem = ready.problem();
    const std::vector<std::string> lines = state->output ? state->output->lastLines() : std::vector<std::string>();
    if (lastOutput) {
        *lastOutput = lines;
    } else if (!lines.empty()) {
        problem.message += "; its last output:";
        for (const std::string& line : lines)
            problem.message += "\n  " + line;
        if (!problem.cure.empty())
            problem.message += '\n';
    }
    return problem;
}

Supervisor::Supervisor(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Supervisor::~Supervisor() = default;

pid_t Supervisor::pid() const
{
    return m_state->serverPid;
}

pid_t Supervisor::treeRoot() const
{
    return m_state->guardPid;
}

std::uint16_t Supervisor::port() const
{
    return m_state->port;
}

std::string Supervisor::url() const
{
    return m_state->url();
}

Nanoseconds Supervisor::startupTime() const
{
    return m_state->startupTime;
}

std::optional<ServerExit> Supervisor::exited()
{
    m_state->readReports(0);
    m_state->over();
    return m_state->ended;
}

std::vector<std::string> Supervisor::lastLines() const
{
    return m_state->output->lastLines();
}

void Supervisor::stop()
{
    m_state->stop();
}

} // namespace lapbench
