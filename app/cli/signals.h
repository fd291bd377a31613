#pragma once

#include "core/session/observer.h"

#include <csignal>
#include <map>

namespace lapbench {

/// Ctrl-C, TERM and HUP stop the session; a second one ends the program at once with 130 (the guard ends the servers).
/// A closed pipe and a file that may grow no further are errors of the write, not the end of the program. A HUP that
/// was ignored stays so. Restores what was before. One at a time; the control outlives it.
class StopSignals {
public:
    explicit StopSignals(SessionControl& control);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// While patient, a second signal changes nothing: what runs ends by itself soon, and nobody else would clean up.
    void setPatient(bool patient);

private:
    void handle(int signal, void (*handler)(int));

    std::map<int, struct sigaction> m_before;
};

} // namespace lapbench
