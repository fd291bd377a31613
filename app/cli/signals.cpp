#include "app/cli/signals.h"

#include "app/cli/exit_code.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace lapbench {

namespace {

constexpr std::array<int, 3> kStopping = {SIGINT, SIGTERM, SIGHUP};

std::atomic<SessionControl*> g_control{nullptr};
static_assert(std::atomic<SessionControl*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may touch nothing else");

extern "C" void onStop(int)
{
    SessionControl* control = g_control.load();
    if (control == nullptr)
        return;
    if (control->stopping())
        ::_exit(static_cast<int>(ExitCode::interrupted));
    control->stop();
}

/// A handler rather than SIG_IGN: it is not handed on to the servers that are started.
extern "C" void onPipe(int) {}

void handle(int signal, void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

} // namespace

StopSignals::StopSignals(SessionControl& control)
{
    g_control.store(&control);
    for (const int signal : kStopping)
        handle(signal, onStop);
    handle(SIGPIPE, onPipe);
}

StopSignals::~StopSignals()
{
    for (const int signal : kStopping)
        handle(signal, SIG_DFL);
    handle(SIGPIPE, SIG_DFL);
    g_control.store(nullptr);
}

} // namespace lapbench
