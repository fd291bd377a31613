#include "core/load/engine_run.h"
#include "core/stats/warm_up.h"

#include <algorithm>

// What the workers found becomes the figures of a trial.

namespace lapbench {

namespace {

double seconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}

/// What is added up over the workers and becomes figures in the end.
struct Sums {
    Moments latency, serviceMoments;
    Timeline timeline;
    ErrorBook errors;
    Histogram connectTime, failedLatency, service, serviceCensored, scheduleLag, ownLag;
    std::int64_t cpuNs = 0, busiestCpuNs = 0, requestNs = 0, lastEndNs = 0;
};

void addUp(WorkerFigures found, LoadFigures& figures, Sums& sums)
{
    figures.ok += found.ok;
    figures.failed += found.failed;
    figures.unfinished += found.unfinished;
    figures.bytesReceived += found.received;
    figures.bytesSent += found.sent;
    figures.bodyReceived += found.body;
    figures.connectionsOpened += static_cast<unsigned>(found.opened);
    figures.peakOpen += found.peakOpen;
    figures.reconnects += found.reconnects;
    figures.censored.add(found.censored);
    for (std::size_t status = 0; status < found.status.size(); ++status)
        if (found.status[status] != 0)
            figures.status[static_cast<int>(status)] += found.status[status];
    sums.latency.add(found.latency);
    sums.errors.add(found.errors);
    sums.connectTime.add(found.connectTime);
    sums.failedLatency.add(found.failedLatency);
    sums.service.add(found.service);
    sums.serviceMoments.add(found.serviceMoments);
    sums.scheduleLag.add(found.scheduleLag);
    sums.ownLag.add(found.ownLag);
    sums.cpuNs += found.cpuNs;
    sums.busiestCpuNs = std::max(sums.busiestCpuNs, found.cpuNs);
    sums.requestNs += found.requestNs;
    sums.lastEndNs = std::max(sums.lastEndNs, found.lastEndNs);
    sums.serviceCensored.add(found.serviceCensored);
    for (const SecondShare& share : found.seconds) {
        figures.histogram.add(share.latency.unpacked());
        sums.timeline.add(share);
    }
}

} // namespace

LoadReport EngineRun::collect()
{
    LoadReport report;
    report.interrupted = m_interrupted;
    report.gaveUp =
        std::any_of(m_workers.begin(), m_workers.end(), [](const auto& worker) { return worker->gaveUp(); });
    report.windowOpened = m_windowOpened;
    report.transport = m_task.transport;
    // The keep-alive transport speaks nothing else.
    report.httpVersion = m_task.transport == TransportKind::keepAlive ? "1.1" : m_shared.negotiated.http();
    LoadFigures& figures = report.figures;
    figures.connectionsAsked = m_task.connections;
    figures.threads = m_threadCount;
    figures.streams = m_task.streams;
    figures.tls = m_shared.negotiated.tls();
    if (m_peakIsOurs)
        figures.generatorPeakRssBytes = peakResidentBytes();

    Sums sums;
    for (const auto& worker : m_workers)
        addUp(worker->takeFigures(), figures, sums);
    figures.connectTime = summarizeShort(sums.connectTime);
    figures.errors = sums.errors.counts(m_windowOpened ? m_openedNs : steadyNs());
    if (!m_windowOpened)
        return report;

    report.windowOpenedNs = m_openedNs;
    report.windowClosedNs = m_closedNs != Stage::kNever ? m_closedNs : std::max(sums.lastEndNs, m_openedNs);
    figures.durationSeconds = seconds(report.windowClosedNs - report.windowOpenedNs);
    if (figures.durationSeconds > 0) {
        figures.rps = static_cast<double>(figures.ok) / figures.durationSeconds;
        figures.generatorCpuCores = seconds(sums.cpuNs) / figures.durationSeconds;
        figures.busiestWorkerCores = seconds(sums.busiestCpuNs) / figures.durationSeconds;
        // A rate that is made to rise says nothing about warming up.
        if (m_task.course.empty() || onlyRate(m_task.course))
            figures.warmSeconds = warmAfter(m_progress, *figures.rps);
    }
    if (figures.completed() != 0)
        figures.generatorCpuUsPerRequest =
            static_cast<double>(sums.cpuNs) / 1000.0 / static_cast<double>(figures.completed());
    figures.latency = summarizeLatency(figures.histogram, sums.latency, figures.censored);
    figures.failedLatency = summarizeShort(sums.failedLatency);
    figures.steady = m_steady;
    figures.requestSeconds = seconds(sums.requestNs);
    if (!m_task.course.empty()) {
        figures.service = summarizeLatency(sums.service, sums.serviceMoments, sums.serviceCensored);
        figures.scheduleLag = summarizeShort(sums.scheduleLag);
        figures.generatorLag = summarizeShort(sums.ownLag);
    }
    figures.seconds = sums.timeline.takeSeconds(figures.durationSeconds);
    return report;
}

} // namespace lapbench
