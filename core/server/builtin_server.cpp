#include "core/server/builtin_server.h"

#include "core/server/builtin_server_loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace lapbench {

namespace {

constexpr unsigned kMaxThreads = 256;
constexpr int kBacklog = 4096;

Problem startProblem(std::uint16_t port, int error)
{
    const std::string where = "127.0.0.1:" + std::to_string(port);
    if (error == EADDRINUSE)
        return {where, "the port is taken", "choose another port, or end the program that holds it"};
    if (error == EACCES)
        return {where, "ports below 1024 need more rights", "choose a port from 1024 on"};
    return {where, std::string("the built-in server cannot start: ") + std::strerror(error),
            "choose another port, or fewer threads"};
}

} // namespace

struct BuiltinServer::State {
    BuiltinShared shared;
    std::vector<std::unique_ptr<BuiltinLoop>> loops;
    std::vector<std::thread> threads;
    int listenFd = -1;
    std::uint16_t port = 0;

    ~State()
    {
        if (shared.stopFd >= 0) {
            const std::uint64_t one = 1;
            while (::write(shared.stopFd, &one, sizeof one) < 0 && errno == EINTR) {
            }
        }
        for (std::thread& thread : threads)
            thread.join();
        loops.clear();
        for (const int fd : {listenFd, shared.stopFd})
            if (fd >= 0)
                ::close(fd);
    }

    /// 0 or an errno.
    int listen(std::uint16_t wantedPort)
    {
        listenFd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (listenFd < 0)
            return errno;
        const int on = 1;
        ::setsockopt(listenFd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(wantedPort);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        if (::bind(listenFd, any, size) != 0 || ::listen(listenFd, kBacklog) != 0 ||
            ::getsockname(listenFd, any, &size) != 0)
            return errno;
        port = ntohs(address.sin_port);
        return 0;
    }

    int open(std::uint16_t wantedPort, unsigned threadCount)
    {
        if (const int error = listen(wantedPort); error != 0)
            return error;
        shared.stopFd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (shared.stopFd < 0)
            return errno;
        shared.counters = std::vector<BuiltinShared::Counter>(threadCount);
        for (std::size_t i = 0; i < threadCount; ++i) {
            loops.push_back(std::make_unique<BuiltinLoop>(shared, i));
            if (const int error = loops.back()->open(); error != 0)
                return error;
        }
        // One thread accepts and deals in turn: the kernel's own spreading leaves a few connections badly shared out.
        std::vector<BuiltinLoop*> all;
        for (const auto& loop : loops)
            all.push_back(loop.get());
        return loops[0]->listenOn(listenFd, std::move(all));
    }
};

Result<std::unique_ptr<BuiltinServer>> BuiltinServer::start(std::uint16_t port, unsigned threads)
{
    auto state = std::make_unique<State>();
    if (const int error = state->open(port, std::clamp(threads, 1u, kMaxThreads)); error != 0)
        return startProblem(port, error);
    for (auto& loop : state->loops)
        state->threads.emplace_back([&loop] { loop->run(); });
    return std::unique_ptr<BuiltinServer>(new BuiltinServer(std::move(state)));
}

BuiltinServer::BuiltinServer(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BuiltinServer::~BuiltinServer() = default;

std::uint16_t BuiltinServer::port() const
{
    return m_state->port;
}

std::uint64_t BuiltinServer::answered() const
{
    return m_state->shared.answered();
}

} // namespace lapbench
