#include "app/cli/signals.h"

#include "app/cli/exit_code.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace lapbench {

namespace {

constexpr std::array<int, 3> kStopping = {SIGINT, SIGTERM, SIGHUP};
constexpr std::array<int, 2> kErrorsOfWrite = {SIGPIPE, SIGXFSZ};

std::atomic<SessionControl*> g_control{nullptr};
std::atomic<bool> g_patient{false};
static_assert(std::atomic<SessionControl*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may touch nothing else");

extern "C" void onStop(int)
{
    SessionControl* control = g_control.load();
    if (control == nullptr)
        return;
    if (control->stopping() && !g_patient.load())
        ::_exit(static_cast<int>(ExitCode::interrupted));
    control->stop();
}

/// A handler rather than SIG_IGN: it is not handed on to the servers that are started.
extern "C" void onWriteError(int) {}

} // namespace

StopSignals::StopSignals(SessionControl& control)
{
    g_control.store(&control);
    for (const int signal : kStopping)
        handle(signal, onStop);
    // nohup: what asked to outlive its terminal does.
    if (m_before.at(SIGHUP).sa_handler == SIG_IGN)
        ::sigaction(SIGHUP, &m_before.at(SIGHUP), nullptr);
    for (const int signal : kErrorsOfWrite)
        handle(signal, onWriteError);
}

StopSignals::~StopSignals()
{
    for (const auto& [signal, action] : m_before)
        ::sigaction(signal, &action, nullptr);
    g_patient.store(false);
    g_control.store(nullptr);
}

void StopSignals::setPatient(bool patient)
{
    g_patient.store(patient);
}

void StopSignals::handle(int signal, void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, &m_before[signal]);
}

} // namespace lapbench
