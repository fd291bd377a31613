#pragma once

#include "core/load/curl_endpoint.h"
#include "core/load/engine.h"
#include "core/load/wire_task.h"
#include "core/load/worker.h"
#include "core/stats/warm_up.h"
#include "core/workload/request_script.h"

#include <ctime>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace lapbench {

/// One trial's load from the first connection to the last figure: makes the workers, leads them through the stages,
/// tells the watch, joins and adds up. Lives on the stack of runLoad(), whose thread uses it.
class EngineRun {
public:
    /// What the connections share; both outlive the run.
    struct Shared {
        const CurlTrust* trust; ///< null: no TLS
        Negotiated& negotiated;
    };
    /// The task names the transport.
    EngineRun(const LoadTask& task, const LoadWatch& watch, Endpoint endpoint, RequestScript script, Shared shared,
              unsigned threads);
    ~EngineRun();
    EngineRun(const EngineRun&) = delete;
    EngineRun& operator=(const EngineRun&) = delete;

    Result<LoadReport> run();

private:
    Result<void> startWorkers();
    void lead();
    bool warmUp();
    void measure(Stage stage);
    bool awaitSteady();
    std::int64_t openingAfter(std::int64_t ns) const;
    void close(std::int64_t closeNs);
    void publish(Stage stage);
    bool await(std::int64_t untilNs, bool stoppable);
    bool stopAsked() const;
    void tell(LoadPhase phase) const;
    void tellInterval(std::int64_t nowNs);
    void noteProgress(std::int64_t nowNs);
    std::int64_t workersCpuNs() const;
    void dismiss();
    LoadReport collect();

    const LoadTask& m_task;
    const LoadWatch& m_watch;
    const Endpoint m_endpoint;
    const RequestScript m_script;
    const Shared m_shared;
    const unsigned m_threadCount;
    Course m_course;
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::vector<std::thread> m_threads;
    std::vector<clockid_t> m_clocks; ///< of the threads' processor time
    std::optional<LiveReader> m_reader;
    std::optional<SteadyFigures> m_steady;
    std::vector<Progress> m_progress; ///< since the load began

    bool m_windowOpened = false, m_interrupted = false;
    bool m_peakIsOurs = false; ///< the peak of memory was counted from the start of this run
    std::int64_t m_openedNs = 0, m_closedNs = 0;
    std::int64_t m_lastIntervalNs = 0, m_lastCpuNs = 0;
};

} // namespace lapbench
