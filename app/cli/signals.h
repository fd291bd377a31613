#pragma once

#include "core/session/observer.h"

namespace lapbench {

/// Ctrl-C, TERM and HUP stop the session; a second one ends the program at once with 130 (the guard ends the servers).
/// A closed pipe is an error of the write, not the end of the program. Restores what was before. One at a time; the
/// control outlives it.
class StopSignals {
public:
    explicit StopSignals(SessionControl& control);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
};

} // namespace lapbench
