#include "core/session/calibrate.h"

#include "core/server/sampler.h"
#include "core/server/supervisor.h"
#include "core/session/trial_run.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace lapbench {

namespace {

/// The built-in server as a target of a session would be started.
struct MeasuredServer {
    std::unique_ptr<Supervisor> server;
    std::unique_ptr<Sampler> sampler;
};

/// One calibration, told in order. Lives on the stack of calibrate().
class CalibrationRun {
public:
    CalibrationRun(const CalibrationTask& task, const std::filesystem::path& program, const CalibrationWatch& watch)
        : m_task(task), m_program(program), m_watch(watch), m_best(task.levels.size())
    {}

    Result<CalibrationEnd> run()
    {
        m_calibration.machine = thisMachine();
        m_calibration.created = std::chrono::system_clock::now();
        const std::size_t total = m_task.rounds * m_task.levels.size();
        for (std::size_t step = 0; step < total && !stopped(); ++step) {
            const std::size_t index = levelAt(step);
            if (m_leftOut.contains(index))
                continue;
            if (m_watch.onLevel)
                m_watch.onLevel(step, total, m_task.levels[index]);
            if (auto measured = measure(index); !measured && !stopped())
                return measured.problem();
        }
        for (const auto& entry : m_best)
            if (entry)
                m_calibration.entries.push_back(*entry);
        if (stopped())
            return CalibrationEnd{std::move(m_calibration), true};
        if (m_calibration.entries.empty())
            return Problem{"", "no load at all could be measured against the built-in server",
                           "lapbench-cli doctor tells what may be in the way"};
        return CalibrationEnd{std::move(m_calibration), false};
    }

private:
    bool stopped() const { return m_watch.stop != nullptr && m_watch.stop->load(); }

    /// Every other round runs backwards: what drifts meanwhile weighs on no level more than on another.
    std::size_t levelAt(std::size_t step) const
    {
        const std::size_t levels = m_task.levels.size(), place = step % levels;
        return (step / levels) % 2 == 0 ? place : levels - 1 - place;
    }

    Result<MeasuredServer*> serverWith(unsigned threads)
    {
        MeasuredServer& measured = m_servers[threads];
        if (!measured.server) {
            ServerCommand command;
            command.argv = {m_program.string(), "serve", "--threads", std::to_string(threads)};
            auto started = Supervisor::start(command, m_program, {}, m_watch.stop);
            if (!started)
                return started.problem();
            measured.server = std::move(started).value();
            measured.sampler = std::make_unique<Sampler>(measured.server->treeRoot(), "/proc", Watch::belowRoot);
        }
        return &measured;
    }

    Result<void> measure(std::size_t index)
    {
        const CalibrationLevel& level = m_task.levels[index];
        const unsigned serverThreads =
            std::min(64U, serverThreadsBeside(level.threads, std::max(1U, m_calibration.machine.processors)));
        const auto server = serverWith(serverThreads);
        if (!server)
            return server.problem();
        TrialRun run;
        Plan plan;
        plan.load.threads = level.threads;
        plan.load.transport = level.transport;
        plan.warmup.duration = m_task.window / 10;
        plan.measure = {};
        plan.measure.duration = m_task.window;
        TrialPlan planned;
        planned.level.connections = level.connections;
        auto task = loadTaskOf(plan, planned, server.value()->server->url());
        if (!task)
            return task.problem();
        run.task = std::move(task).value();
        run.sampler = server.value()->sampler.get();
        run.server = server.value()->server.get();
        run.stop = m_watch.stop;
        Trial trial;
        trial.level.connections = level.connections;
        runTrial(run, trial);
        if (stopped())
            return {};
        if (trial.outcome != Outcome::done || trial.load.failed > 0 || !trial.load.rps) {
            leaveOut(index, trial.failure ? trial.failure->message : "requests failed");
            return {};
        }
        keep(index, trial, serverThreads);
        return {};
    }

    void leaveOut(std::size_t index, const std::string& why)
    {
        m_leftOut.insert(index);
        m_best[index].reset();
        if (m_watch.onLeftOut)
            m_watch.onLeftOut(m_task.levels[index], why);
    }

    /// Other work on the machine only ever takes away, so the best round is the nearest to the ceiling.
    void keep(std::size_t index, const Trial& trial, unsigned serverThreads)
    {
        const CalibrationLevel& level = m_task.levels[index];
        CalibrationEntry entry{
            level.transport,
            level.threads,
            level.connections,
            *trial.load.rps,
            trial.load.generatorCpuUsPerRequest,
            trial.server.cpuCoresMean,
            serverThreads,
            limitedByServer(trial.server.cpuCoresMean, serverThreads, trial.load.generatorCpuCores, level.threads)};
        if (!m_best[index] || m_best[index]->rps < entry.rps)
            m_best[index] = entry;
    }

    const CalibrationTask& m_task;
    const std::filesystem::path& m_program;
    const CalibrationWatch& m_watch;
    Calibration m_calibration;
    std::map<unsigned, MeasuredServer> m_servers; ///< by threads
    std::vector<std::optional<CalibrationEntry>> m_best;
    std::set<std::size_t> m_leftOut;
};

} // namespace

Result<CalibrationEnd> calibrate(const CalibrationTask& task, const std::filesystem::path& program,
                                 const CalibrationWatch& watch)
{
    return CalibrationRun(task, program, watch).run();
}

unsigned serverThreadsBeside(unsigned threads, unsigned processors)
{
    const unsigned left = processors > threads ? processors - threads : 0;
    return std::max({1U, left, std::min(threads, processors)});
}

CalibrationTask calibrationTask(unsigned processors, unsigned automatic, std::uint64_t descriptors, bool quick)
{
    constexpr std::array<unsigned, 5> kConnections = {1, 16, 64, 256, 1000};
    constexpr std::array<unsigned, 3> kQuickConnections = {1, 64, 1000};
    constexpr std::uint64_t kOtherDescriptors = 64;
    constexpr unsigned kMostThreads = 64;

    std::set<unsigned> threads = {1, std::max(1U, automatic)};
    if (!quick) {
        for (unsigned count = 2; count < processors && count < kMostThreads; count *= 2)
            threads.insert(count);
        threads.insert(std::clamp(processors, 1U, kMostThreads));
    }
    std::vector<unsigned> connections(kConnections.begin(), kConnections.end());
    if (quick)
        connections.assign(kQuickConnections.begin(), kQuickConnections.end());

    CalibrationTask task;
    task.window = quick ? std::chrono::milliseconds(500) : std::chrono::milliseconds(2000);
    task.rounds = quick ? 1 : 2;
    for (const unsigned count : connections)
        for (const unsigned worker : threads)
            for (const TransportKind transport : {TransportKind::keepAlive, TransportKind::curl})
                if (worker <= count && count + kOtherDescriptors <= descriptors)
                    task.levels.push_back({transport, worker, count});
    return task;
}

} // namespace lapbench
