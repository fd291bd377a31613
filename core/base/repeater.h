#pragma once

#include "core/base/clock.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace lapbench {

/// Calls a function again and again on a thread of its own, for the first time one interval from now, until it is
/// destroyed; it is not called any more then. What the function uses outlives this.
class Repeater {
public:
    Repeater(Nanoseconds interval, std::function<void()> each);
    ~Repeater();
    Repeater(const Repeater&) = delete;
    Repeater& operator=(const Repeater&) = delete;

private:
    void run();

    const Nanoseconds m_interval;
    const std::function<void()> m_each;
    std::mutex m_mutex; ///< guards m_stop
    std::condition_variable m_wake;
    bool m_stop = false;
    std::thread m_thread;
};

} // namespace lapbench
