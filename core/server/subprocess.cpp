#include "core/server/subprocess.h"

#include "core/base/clock.h"
#include "core/base/owned_fd.h"
#include "core/server/line_splitter.h"
#include "core/server/process_tree.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <string_view>

extern char** environ;

namespace lapbench {

namespace {

constexpr std::size_t kKeptLines = 40;

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& added)
{
    std::map<std::string, std::string, std::less<>> all;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos)
            all.insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
    }
    for (const auto& [name, value] : added)
        all.insert_or_assign(name, value);
    std::vector<std::string> entries;
    for (const auto& [name, value] : all)
        entries.push_back(name + "=" + value);
    return entries;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// posix_spawn's two objects, which want to be destroyed.
struct SpawnRecipe {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    SpawnRecipe()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnRecipe()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnRecipe(const SpawnRecipe&) = delete;
    SpawnRecipe& operator=(const SpawnRecipe&) = delete;
};

} // namespace

Result<pid_t> startProgram(const ProgramStart& start)
{
    if (start.argv.empty() || start.argv[0].empty())
        return Problem{"", "there is no program to start", "name one"};
    SpawnRecipe recipe;
    posix_spawn_file_actions_addopen(&recipe.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
        if (start.outputFd >= 0)
            posix_spawn_file_actions_adddup2(&recipe.actions, start.outputFd, fd);
        else
            posix_spawn_file_actions_addopen(&recipe.actions, fd, "/dev/null", O_WRONLY, 0);
    }
    // Onto itself: that clears the close-on-exec flag in the child alone.
    for (const int fd : start.keepFds)
        posix_spawn_file_actions_adddup2(&recipe.actions, fd, fd);
    if (!start.folder.empty())
        posix_spawn_file_actions_addchdir_np(&recipe.actions, start.folder.c_str());

    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&recipe.attributes, &all);
    posix_spawnattr_setsigmask(&recipe.attributes, &none);
    const int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (start.ownSession ? POSIX_SPAWN_SETSID : 0);
    posix_spawnattr_setflags(&recipe.attributes, static_cast<short>(flags));

    const std::vector<std::string> environment = environmentWith(start.env);
    const std::vector<char*> argv = pointersTo(start.argv), envp = pointersTo(environment);
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, argv[0], &recipe.actions, &recipe.attributes, argv.data(), envp.data());
    if (error != 0)
        return Problem{start.argv[0], std::string("cannot be started: ") + std::strerror(error),
                       "check the name, that it is installed, and its working folder"};
    return pid;
}

Result<ProgramRun> runProgram(ProgramStart start, std::optional<std::chrono::nanoseconds> limit,
                              const std::function<void(const std::string&)>& onLine, const std::atomic<bool>* stop)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return Problem{start.argv.empty() ? "" : start.argv[0],
                       std::string("cannot be started: ") + std::strerror(errno), "close other programs"};
    const OwnedFd reading(ends[0]);
    OwnedFd writing(ends[1]);
    start.outputFd = writing.get();
    auto started = startProgram(start);
    if (!started)
        return started.problem();
    const pid_t pid = started.value();
    writing.reset();

    ProgramRun run;
    LineSplitter splitter;
    const auto keep = [&](std::string line) {
        if (onLine)
            onLine(line);
        run.lastLines.push_back(std::move(line));
        if (run.lastLines.size() > kKeptLines)
            run.lastLines.erase(run.lastLines.begin());
    };
    const std::int64_t begin = steadyNs();
    bool ended = false;
    std::array<char, 16384> piece;
    // A descendant may hold the pipe open for longer than the program lives, so the program's end counts too.
    for (bool open = true; !ended || open;) {
        run.timedOut = limit && steadyNs() - begin > limit->count();
        run.stopped = stop && stop->load();
        if (!ended && (run.timedOut || run.stopped)) {
            endChildTree(pid);
            return run;
        }
        pollfd ready{reading.get(), POLLIN, 0};
        const int count = ::poll(&ready, open ? 1 : 0, ended ? 0 : 20);
        if (count > 0) {
            const ssize_t got = ::read(reading.get(), piece.data(), piece.size());
            open = got > 0 || (got < 0 && errno == EINTR);
            if (got > 0)
                splitter.feed({piece.data(), static_cast<std::size_t>(got)}, keep);
        } else if (ended) {
            open = false;
        }
        if (!ended)
            ended = ::waitpid(pid, &run.status, WNOHANG) != 0;
    }
    splitter.finish(keep);
    return run;
}

} // namespace lapbench
