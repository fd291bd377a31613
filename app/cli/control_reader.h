#pragma once

#include "core/base/owned_fd.h"
#include "core/session/observer.h"

#include <string_view>
#include <thread>

namespace lapbench {

/// What one line of --control asks for: stop, stop-after-trial, pause, continue, skip INDEX. False: no such command.
bool obey(std::string_view line, SessionControl& control);

/// Reads such lines from a descriptor on a thread of its own until it is destroyed. The end of the input means that the
/// window is gone: the session is stopped. The control outlives it.
class ControlReader {
public:
    ControlReader(int fd, SessionControl& control);
    ~ControlReader();
    ControlReader(const ControlReader&) = delete;
    ControlReader& operator=(const ControlReader&) = delete;

private:
    void read(int fd, SessionControl& control) const;

    OwnedFd m_wake; ///< an eventfd that ends the thread
    std::thread m_thread;
};

} // namespace lapbench
