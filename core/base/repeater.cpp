#include "core/base/repeater.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lapbench {

Repeater::Repeater(Nanoseconds interval, std::function<void()> each)
    : m_interval(interval), m_each(std::move(each)), m_thread([this] { run(); })
{}

Repeater::~Repeater()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void Repeater::run()
{
    auto next = std::chrono::steady_clock::now();
    for (;;) {
        // After a hold-up the missed moments are not made up for: calls on top of each other tell nothing.
        next = std::max(next + m_interval, std::chrono::steady_clock::now());
        {
            std::unique_lock lock(m_mutex);
            if (m_wake.wait_until(lock, next, [this] { return m_stop; }))
                return;
        }
        m_each();
    }
}

} // namespace lapbench
