#pragma once

#include "core/base/clock.h"
#include "core/load/error_book.h"
#include "core/load/pacer.h"
#include "core/load/poller.h"
#include "core/load/request_budget.h"
#include "core/load/snapshot.h"
#include "core/load/stop_rule.h"
#include "core/load/transport.h"
#include "core/stats/moments.h"
#include "core/stats/timeline.h"
#include "core/workload/request_script.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace lapbench {

/// What the engine and its workers share. The engine publishes a stage while all workers wait; it may bring the end of
/// the current one forward. Nothing in it is touched on the request path but the budget and two relaxed loads.
struct Course {
    std::atomic<unsigned> stageNumber{0}; ///< a new number publishes `stage`
    Stage stage;
    std::atomic<std::int64_t> openNs{0},
        closeNs{Stage::kNever};         ///< of the current stage; either may be brought forward
    std::atomic<bool> abandoned{false}; ///< leave everything at once
    RequestBudget budget;

    std::mutex mutex; ///< guards what follows
    std::condition_variable changed;
    unsigned reported = 0; ///< workers that are through with the current stage, or with connecting
};

/// What a worker found in the window; read after its thread has ended.
struct WorkerFigures {
    std::uint64_t ok = 0, failed = 0, unfinished = 0;
    Moments latency, serviceMoments;
    Histogram connectTime, failedLatency, censored;
    Histogram service, serviceCensored, scheduleLag, ownLag; ///< open loop only
    std::array<std::uint64_t, 1000> status{};
    ErrorBook errors;
    std::uint64_t received = 0, sent = 0, body = 0;
    std::uint64_t opened = 0, reconnects = 0;
    unsigned peakOpen = 0;
    std::int64_t lastEndNs = 0; ///< when the last request of the window ended
    std::int64_t cpuNs = 0;     ///< the thread's processor time in the window
    std::int64_t requestNs = 0; ///< how long requests were under way in the window, added up
    std::vector<SecondShare> seconds;
};

/// What a worker is to do.
struct WorkerTask {
    unsigned slots = 1; ///< requests at a time: connections, with several streams on each that many times more
    bool newConnections = false;
    Nanoseconds timeout{};
    Nanoseconds connectTimeout{};
    const RequestScript& script;
    unsigned index = 0, workers = 1; ///< of an open loop's arrivals it takes those that leave this remainder
    std::function<std::unique_ptr<Transport>(Poller&, TransportSink&)> makeTransport;
};

/// One thread with its connections: it decides when requests go out and counts what comes back. Owned by the engine;
/// run() is its thread, wake() and live() are for any other.
class Worker final : private TransportSink {
public:
    Worker(WorkerTask task, Poller poller, Course& course);

    void run();
    void wake() const { m_poller.wake(); }
    const LiveCounters& live() const { return *m_live; }
    /// After the thread has ended.
    WorkerFigures takeFigures() { return std::move(m_figures); }
    /// After connecting was reported: whether there is a server.
    bool connected() const { return m_connected; }
    /// After a stage was reported: whether it was left because no connection could be had any more.
    bool gaveUp() const { return m_gaveUp; }

private:
    struct Slot {
        std::uint64_t number = 0;    ///< of the request that is under way
        std::int64_t intendedNs = 0; ///< when that was due; open loop
        std::int64_t freeNs = 0;     ///< since when the slot has waited for a request; open loop
        std::uint8_t failures = 0;   ///< connections or exchanges lost in a row
        bool busy = false;
    };
    struct Restart {
        std::int64_t dueNs;
        unsigned slot;
        bool operator>(const Restart& other) const { return dueNs > other.dueNs; }
    };

    void reachable() override;
    void opened(unsigned slot, std::int64_t connectNs, bool again) override;
    void openFailed(unsigned slot, const Failure& failure) override;
    std::optional<std::uint64_t> finished(unsigned slot, const Sample& sample) override;

    void connect();
    void runStage();
    void report();
    void readCourse();
    void startOrRest(unsigned slot, std::int64_t nowNs);
    std::optional<std::uint64_t> takeNumber(Slot& slot, std::int64_t nowNs);
    void startDue(std::int64_t nowNs);
    bool exhausted() const;
    std::int64_t nextWakeNs(std::int64_t nowNs) const;
    std::uint64_t arrivalAt(std::uint64_t turn) const { return turn * m_task.workers + m_task.index; }
    void turnTo(std::uint64_t turn);
    std::optional<std::uint64_t> takeArrival(Slot& slot, std::int64_t nowNs);
    void startArrivals(std::int64_t nowNs);
    std::int64_t backOffOf(Slot& slot, const Sample& sample);
    void leaveArrivals(std::int64_t closedNs);
    std::int64_t beganNs(const Slot& slot, std::int64_t startNs) const
    {
        return m_stage.arrivals ? slot.intendedNs : startNs;
    }
    bool hopeless(std::int64_t nowNs) const;

    void account(const Slot& slot, const Sample& sample);
    void accountRight(const Slot& slot, const Sample& sample);
    void accountFailure(const Slot& slot, const Sample& sample, const Failure& failure);
    std::optional<Failure> failureOf(const Sample& sample) const;
    void passTime(std::int64_t nowNs);
    void openWindow(std::int64_t nowNs);
    void closeSecond(double cpuCores);
    double coresUntil(std::int64_t nowNs);
    void closeWindow(std::int64_t nowNs);

    const WorkerTask m_task;
    Poller m_poller;
    Course& m_course;
    std::unique_ptr<Transport> m_transport;
    std::unique_ptr<LiveCounters> m_live;
    WorkerFigures m_figures;

    Stage m_stage;
    bool m_running = false;                      ///< a stage is under way
    NumberRange m_numbers;                       ///< claimed from the budget and not yet used
    std::uint64_t m_turn = 0;                    ///< arrivals of an open loop that this worker has started
    std::int64_t m_arrivalDueNs = Stage::kNever; ///< when the next one is due
    unsigned m_outstanding = 0;                  ///< slots with a request under way
    unsigned m_awaited = 0;                      ///< slots whose first connection is under way
    bool m_connected = false, m_gaveUp = false;
    std::vector<Slot> m_slots;
    std::vector<Restart> m_restarts; ///< a heap: slots that wait before they try again
    std::deque<unsigned> m_idle;     ///< open loop: slots that wait for an arrival, the longest first
    std::int64_t m_lostNs = 0;       ///< since when no connection came of any that was asked for; 0: some do

    bool m_windowOpen = false;
    std::int64_t m_passNs = Stage::kNever; ///< when passTime() has something to do
    std::int64_t m_passedNs = 0;           ///< until when the thread's processor time is accounted for
    std::int64_t m_openCpuNs = 0, m_passedCpuNs = 0;
    double m_passedCores = 0;
    unsigned m_second = 0;
    std::uint64_t m_secondFailed = 0;
    std::vector<std::uint64_t> m_copied; ///< the live histogram as it was at the start of this second
};

} // namespace lapbench
