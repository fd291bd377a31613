#include "core/server/sampler.h"

#include "core/base/clock.h"
#include "core/server/sample_history.h"
#include "core/server/tree_account.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lapbench {

namespace {

constexpr Nanoseconds kInterval = std::chrono::milliseconds(100);
constexpr Nanoseconds kPatience = std::chrono::milliseconds(500);

} // namespace

struct Sampler::State {
    TreeAccount account; ///< of the constructor, then of the thread

    mutable std::mutex mutex; ///< guards what follows
    std::condition_variable wake, looked;
    SampleHistory history;
    std::vector<ProcessTime> processes;
    bool treeThere = false;
    bool stop = false;

    std::thread thread;

    State(pid_t root, std::filesystem::path procRoot, Watch watch) : account(root, std::move(procRoot), watch) {}

    void look()
    {
        const auto sample = account.look();
        std::vector<ProcessTime> now = account.processes();
        {
            const std::lock_guard lock(mutex);
            treeThere = sample.has_value();
            processes.swap(now);
            if (sample)
                history.add(*sample);
        }
        looked.notify_all();
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

Sampler::Sampler(pid_t root, std::filesystem::path procRoot, Watch watch)
    : m_state(std::make_unique<State>(root, std::move(procRoot), watch))
{
    m_state->look();
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
}

Sampler::~Sampler()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->stop = true;
    }
    m_state->wake.notify_one();
    m_state->thread.join();
}

std::optional<TreeSample> Sampler::latest() const
{
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->treeThere)
        return std::nullopt;
    return m_state->history.samples().back();
}

std::vector<ProcessTime> Sampler::processes() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->processes;
}

void Sampler::awaitSampleAt(std::int64_t ns) const
{
    State& state = *m_state;
    std::unique_lock lock(state.mutex);
    state.looked.wait_for(lock, kPatience,
                          [&] { return !state.treeThere || state.history.samples().back().atNs >= ns; });
}

std::optional<double> Sampler::recentCpuCores() const
{
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->treeThere)
        return std::nullopt;
    return m_state->history.recentCpuCores();
}

TreeUse Sampler::use(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.use(fromNs, toNs);
}

std::vector<TreeSecond> Sampler::seconds(std::int64_t fromNs, std::int64_t toNs) const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->history.seconds(fromNs, toNs);
}

} // namespace lapbench
