#include "core/host/machine_sampler.h"

#include "core/base/clock.h"
#include "core/host/machine_history.h"
#include "core/host/system_files.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lapbench {

namespace {

constexpr Nanoseconds kInterval = std::chrono::milliseconds(100);

} // namespace

struct MachineSampler::State {
    const std::filesystem::path procRoot;

    mutable std::mutex mutex; ///< guards what follows
    std::condition_variable wake;
    MachineHistory history;
    unsigned processors = 0;
    bool stop = false;

    std::thread thread;

    explicit State(std::filesystem::path root) : procRoot(std::move(root)) {}

    void look()
    {
        const auto times = readProcessorTimes(procRoot);
        if (!times)
            return;
        const MachineSample sample{steadyNs(), times->busy, times->interrupts, times->steal};
        const std::lock_guard lock(mutex);
        processors = times->processors;
        history.add(sample);
    }

    void run()
    {
        auto next = std::chrono::steady_clock::now();
        for (;;) {
            // After a hold-up the missed moments are not made up for: samples on top of each other tell nothing.
            next = std::max(next + kInterval, std::chrono::steady_clock::now());
            {
                std::unique_lock lock(mutex);
                if (wake.wait_until(lock, next, [this] { return stop; }))
                    return;
            }
            look();
        }
    }
};

MachineSampler::MachineSampler(std::filesystem::path procRoot) : m_state(std::make_unique<State>(std::move(procRoot)))
{
    m_state->look();
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
}

MachineSampler::~MachineSampler()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->stop = true;
    }
    m_state->wake.notify_one();
    m_state->thread.join();
}

MachineUse MachineSampler::use(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.use(fromNs, toNs);
}

std::vector<MachineUse> MachineSampler::seconds(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.seconds(fromNs, toNs);
}

MachineUse MachineSampler::recent() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.recent();
}

unsigned MachineSampler::processors() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->processors;
}

} // namespace lapbench
