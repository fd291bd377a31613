#include "core/session/server_keeper.h"

#include <utility>

namespace lapbench {

ServerKeeper::ServerKeeper(const TargetCommands& commands, std::filesystem::path guardProgram,
                           const SessionControl& control, Observer& observer)
    : m_commands(commands), m_guardProgram(std::move(guardProgram)), m_control(control), m_observer(observer)
{}

Result<void> ServerKeeper::start(const Target& target, const std::string& phase, std::vector<std::string>* lastOutput)
{
    stop();
    m_observer.phase(phase);
    auto server = Supervisor::start(
        m_commands.commandFor(target), m_guardProgram,
        [this, name = target.name](const std::string& line) { m_observer.log(name, line); }, &m_control.stopFlag(),
        lastOutput);
    if (!server)
        return server.problem();
    m_server = std::move(server).value();
    m_sampler = std::make_unique<Sampler>(m_server->treeRoot(), "/proc", Watch::belowRoot);
    if (const auto sample = m_sampler->latest())
        m_idleRssBytes = sample->rssBytes;
    return {};
}

void ServerKeeper::stop()
{
    if (!m_server)
        return;
    m_observer.phase("stop");
    m_sampler.reset();
    m_server->stop();
    m_server.reset();
    m_idleRssBytes.reset();
}

std::optional<std::uint64_t> ServerKeeper::settledRssBytes() const
{
    constexpr std::int64_t kLongestNs = 1'000'000'000, kNothingFallsNs = 300'000'000;
    if (!m_sampler)
        return std::nullopt;
    std::optional<std::uint64_t> lowest;
    const std::int64_t begin = steadyNs();
    std::int64_t lastFall = begin;
    while (true) {
        const std::int64_t now = steadyNs();
        if (now - begin > kLongestNs || now - lastFall > kNothingFallsNs || m_control.stopping())
            return lowest;
        m_sampler->awaitSampleAt(now);
        const auto sample = m_sampler->latest();
        if (!sample)
            return lowest;
        if (!lowest || sample->rssBytes < *lowest) {
            lowest = sample->rssBytes;
            lastFall = now;
        }
    }
}

} // namespace lapbench
