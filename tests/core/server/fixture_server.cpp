// A server under test that behaves as its switches say, and a stand-in for Lapbench that can be killed.
#include "core/server/builtin_server.h"
#include "core/server/supervisor.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

using namespace lapbench;

namespace {

[[noreturn]] void sleepForGood()
{
    for (;;)
        ::pause();
}

/// A grandchild in a session of its own that no longer has this process as an ancestor.
void leaveDaemon()
{
    if (::fork() != 0)
        return;
    ::setsid();
    if (::fork() != 0)
        ::_exit(0);
    std::signal(SIGTERM, SIG_IGN);
    sleepForGood();
}

int serve(int argc, char** argv)
{
    const char* port = std::getenv("PORT");
    int wanted = port ? std::atoi(port) : 0;
    for (int i = 2; i < argc; ++i) {
        const std::string_view option = argv[i];
        const int value = i + 1 < argc ? std::atoi(argv[i + 1]) : 0;
        if (option == "--ignore-term")
            std::signal(SIGTERM, SIG_IGN);
        else if (option == "--daemon")
            leaveDaemon();
        else if (option == "--port")
            wanted = value;
        else if (option == "--wait-ms")
            ::poll(nullptr, 0, value);
        else if (option == "--lines")
            for (int line = 1; line <= value; ++line)
                std::printf("line %d\n", line);
        else if (option == "--exit")
            return value;
        else if (option == "--silent")
            sleepForGood();
    }
    std::fflush(stdout);
    auto server = BuiltinServer::start(static_cast<std::uint16_t>(wanted));
    if (!server) {
        std::fprintf(stderr, "%s\n", format(server.problem()).c_str());
        return 1;
    }
    std::printf("listening on %d\n", wanted);
    std::fflush(stdout);
    sleepForGood();
}

int hold(int argc, char** argv)
{
    ServerCommand command;
    int at = 3;
    for (; at + 1 < argc && std::strcmp(argv[at], "--") != 0; at += 2)
        command.temporaryFolders.emplace_back(argv[at + 1]);
    command.argv.assign(argv + at + 1, argv + argc);
    auto supervisor = Supervisor::start(command, argv[2]);
    if (!supervisor) {
        std::printf("%s\n", format(supervisor.problem()).c_str());
        return 1;
    }
    std::printf("ready %d\n", supervisor.value()->pid());
    std::fflush(stdout);
    sleepForGood();
}

} // namespace

/// fixture_server serve [SWITCH..] | hold GUARD [--temporary FOLDER].. -- COMMAND..
int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "serve")
        return serve(argc, argv);
    if (argc > 3 && std::string_view(argv[1]) == "hold")
        return hold(argc, argv);
    return 2;
}
