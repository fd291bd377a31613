#include "core/server/sampler.h"

#include "core/base/clock.h"
#include "core/base/repeater.h"
#include "core/server/sample_history.h"
#include "core/server/tree_account.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace lapbench {

namespace {

constexpr Nanoseconds kInterval = std::chrono::milliseconds(100);
constexpr Nanoseconds kPatience = std::chrono::milliseconds(500);

} // namespace

struct Sampler::State {
    TreeAccount account; ///< of the constructor, then of the thread

    mutable std::mutex mutex; ///< guards what follows
    std::condition_variable looked;
    SampleHistory history;
    std::vector<ProcessTime> processes;
    bool treeThere = false;

    std::optional<Repeater> repeater; ///< the last member: it looks no more once the others go

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
};

Sampler::Sampler(pid_t root, std::filesystem::path procRoot, Watch watch)
    : m_state(std::make_unique<State>(root, std::move(procRoot), watch))
{
    m_state->look();
    m_state->repeater.emplace(kInterval, [state = m_state.get()] { state->look(); });
}

Sampler::~Sampler() = default;

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
