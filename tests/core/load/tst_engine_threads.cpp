#include "core/base/processors.h"
#include "tests/core/load/load_task.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace lapbench;
using namespace lapbench::test;
using namespace std::chrono_literals;

/// The threads of an engine: how many, and where they run.
class TestEngineThreads : public QObject {
    Q_OBJECT

private slots:
    void eachWorkerIsKeptToItsProcessor()
    {
        const OddServer server(Odd::ok);
        const std::vector<unsigned> allowed = allowedProcessors();
        LoadTask task = timedTask(server.url(), 3, 400ms);
        task.threads = 3;
        task.cores = {allowed.back(), allowed.front()};
        // The threads of this process that were not there before, with the processors they may use.
        const auto threads = [] {
            std::map<std::string, std::string> all;
            for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
                std::ifstream status(entry.path() / "status");
                for (std::string line; std::getline(status, line);)
                    if (line.starts_with("Cpus_allowed_list:\t"))
                        all[entry.path().filename()] = line.substr(19);
            }
            return all;
        };
        const auto before = threads();
        std::multiset<std::string> ofWorkers;
        LoadWatch watch;
        watch.onInterval = [&](const LoadInterval&) {
            ofWorkers.clear();
            for (const auto& [thread, list] : threads())
                if (!before.contains(thread))
                    ofWorkers.insert(list);
        };
        const auto report = runLoad(task, watch);
        QVERIFY2(report.ok(), report.ok() ? "" : format(report.problem()).c_str());
        const std::string first = std::to_string(allowed.back()), second = std::to_string(allowed.front());
        QCOMPARE(ofWorkers, (std::multiset<std::string>{first, second, first}));
        QCOMPARE(allowedProcessors(), allowed);
    }

    void automaticThreadsAreAsManyAsTheProcessorsTheyAreKeptTo()
    {
        QCOMPARE(automaticThreads(1000, 1), 1U);
        QCOMPARE(automaticThreads(1000, 3), 3U);
        QCOMPARE(automaticThreads(1000, 64), 8U);
        QCOMPARE(automaticThreads(2, 3), 2U);
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 4, 40);
        task.threads.reset();
        task.cores = allowedProcessors();
        QCOMPARE(runOf(task).figures.threads, static_cast<unsigned>(std::min<std::size_t>(task.cores.size(), 4)));
    }

    void aProcessorThatIsNotThereIsToldBeforeAnythingStarts()
    {
        const OddServer server(Odd::ok);
        LoadTask task = countedTask(server.url(), 1, 1);
        task.cores = {100'000};
        const auto report = runLoad(task, {});
        QVERIFY(!report.ok());
        QCOMPARE(report.problem().path, std::string("affinity.generator"));
        QCOMPARE(server.connections(), std::uint64_t(0));
    }
};

QTEST_APPLESS_MAIN(TestEngineThreads)
#include "tst_engine_threads.moc"
