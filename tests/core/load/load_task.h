#pragma once

#include "core/load/engine.h"
#include "tests/support/odd_server.h"

#include <QTest>

#include <cstdint>
#include <optional>
#include <string>

namespace lapbench::test {

inline LoadTask taskFor(const std::string& url, unsigned connections, TransportKind transport)
{
    LoadTask task;
    task.url = url;
    task.connections = connections;
    task.threads = 1;
    task.transport = transport;
    task.timeout = std::chrono::seconds(30);
    task.connectTimeout = std::chrono::seconds(5);
    return task;
}

inline LoadTask countedTask(const std::string& url, unsigned connections, std::uint64_t requests,
                            TransportKind transport = TransportKind::keepAlive)
{
    LoadTask task = taskFor(url, connections, transport);
    task.measure.requests = requests;
    return task;
}

inline LoadTask timedTask(const std::string& url, unsigned connections, Nanoseconds duration,
                          TransportKind transport = TransportKind::keepAlive)
{
    LoadTask task = taskFor(url, connections, transport);
    task.measure.duration = duration;
    return task;
}

inline LoadReport runOf(const LoadTask& task, const LoadWatch& watch = {})
{
    return runLoad(task, watch).value();
}

/// The two transports as data rows in the column "transport", each under the row's name.
inline void addTransports()
{
    QTest::addColumn<int>("transport");
    QTest::newRow("keep-alive") << static_cast<int>(TransportKind::keepAlive);
    QTest::newRow("curl") << static_cast<int>(TransportKind::curl);
}

inline std::uint64_t sumOfSeconds(const LoadFigures& figures)
{
    std::uint64_t sum = 0;
    for (const SecondFigures& second : figures.seconds)
        sum += second.ok;
    return sum;
}

} // namespace lapbench::test
