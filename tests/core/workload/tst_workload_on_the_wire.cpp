#include "core/load/engine.h"
#include "tests/support/recording_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace lapbench;
using lapbench::test::Recorded;
using lapbench::test::RecordingServer;

namespace {

constexpr std::uint64_t kRequests = 2000;

/// Six reads, three writes and one constant probe of every ten.
Workload mixOfThree()
{
    Workload mix;
    mix.requests.resize(3);
    mix.requests[0].weight = 60;
    mix.requests[0].path = "/users/{{random_int 1 200000}}/{{sequence}}?q={{csv words.csv word}}";
    mix.requests[1].weight = 30;
    mix.requests[1].method = "POST";
    mix.requests[1].path = "/notes";
    mix.requests[1].headers = {{"X-Id", "{{uuid}}"}};
    mix.requests[1].body = R"({"n":{{sequence}},"colour":"{{choice red "light blue"}}"})";
    mix.requests[2].weight = 10;
    mix.requests[2].path = "/health";
    return mix;
}

} // namespace

class TestWorkloadOnTheWire : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath("words.csv"));
        const QByteArray text("word\na b\n\xc3\xbc\n");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    /// What the server got: shares of 1,200, 600 and 200 of 2,000, sequences from 1 without a gap or a repeat, and
    /// bodies as long as they say, whatever the threads and the transport.
    void theServerGetsTheMix_data() { transports(); }
    void theServerGetsTheMix()
    {
        QFETCH(TransportKind, transport);
        const std::vector<Recorded> requests = asked(transport, 3, 7);
        std::vector<int> reads, writes;
        int probes = 0;
        for (const Recorded& request : requests) {
            const QString line = QString::fromStdString(request.line);
            const QString body = QString::fromStdString(request.body);
            if (line.startsWith("GET /users/")) {
                const int id = line.section('/', 2, 2).toInt();
                QVERIFY2(id >= 1 && id <= 200000, request.line.c_str());
                reads.push_back(line.section('/', 3, 3).section('?', 0, 0).toInt());
                QVERIFY(line.section("q=", 1) == (reads.back() % 2 == 1 ? "a%20b HTTP/1.1" : "%C3%BC HTTP/1.1"));
            } else if (line == "POST /notes HTTP/1.1") {
                QVERIFY2(body.endsWith("\"colour\":\"red\"}") || body.endsWith("\"colour\":\"light blue\"}"),
                         request.body.c_str());
                writes.push_back(body.section(':', 1, 1).section(',', 0, 0).toInt());
                QVERIFY(request.head.find("\r\nX-Id: ") != std::string::npos);
            } else {
                QCOMPARE(line, QString("GET /health HTTP/1.1"));
                ++probes;
            }
        }
        QCOMPARE(probes, 200);
        isOneTo(reads, 1200);
        isOneTo(writes, 600);
    }

    void anErrorNamesTheRequestOfTheMix()
    {
        RecordingServer server;
        LoadTask task;
        task.url = server.url();
        task.workload.requests.resize(2);
        task.workload.requests[0].name = "fine";
        task.workload.requests[1].name = "by-tag";
        task.workload.requests[1].expectStatus = {{404, 404}};
        task.connections = 1;
        task.measure.requests = 4;
        const auto report = runLoad(task, {});
        QVERIFY(report.ok());
        QCOMPARE(report.value().figures.errors.size(), std::size_t(1));
        QCOMPARE(report.value().figures.errors.front().count, std::uint64_t(2));
        QCOMPARE(report.value().figures.errors.front().firstMessage, std::string("by-tag: status 200"));
    }

    void theSameSeedAsksTheSameWhateverTheThreads_data() { transports(); }
    void theSameSeedAsksTheSameWhateverTheThreads()
    {
        QFETCH(TransportKind, transport);
        const auto sorted = [&](unsigned threads, std::uint64_t seed) {
            std::vector<std::string> texts;
            for (const Recorded& request : asked(transport, threads, seed)) {
                const std::size_t id = request.head.find("X-Id: ");
                texts.push_back(request.line + (id == std::string::npos ? "" : request.head.substr(id, 42)) +
                                request.body);
            }
            std::sort(texts.begin(), texts.end());
            return texts;
        };
        const auto one = sorted(1, 5);
        QVERIFY(sorted(4, 5) == one);
        QVERIFY(sorted(4, 6) != one);
    }

private:
    static void transports()
    {
        QTest::addColumn<TransportKind>("transport");
        QTest::newRow("keep-alive") << TransportKind::keepAlive;
        QTest::newRow("curl") << TransportKind::curl;
    }

    static void isOneTo(std::vector<int> numbers, int last)
    {
        std::sort(numbers.begin(), numbers.end());
        QCOMPARE(int(numbers.size()), last);
        for (int i = 0; i < last; ++i)
            QCOMPARE(numbers[std::size_t(i)], i + 1);
    }

    std::vector<Recorded> asked(TransportKind transport, unsigned threads, std::uint64_t seed) const
    {
        RecordingServer server;
        LoadTask task;
        task.url = server.url();
        task.workload = mixOfThree();
        task.folder = m_folder.path().toStdString();
        task.seed = seed;
        task.connections = 8;
        task.threads = threads;
        task.transport = transport;
        task.measure.requests = kRequests;
        const auto report = runLoad(task, {});
        if (!report || report.value().figures.ok != kRequests)
            qFatal("%s", report ? "not all requests were answered" : format(report.problem()).c_str());
        return server.stop();
    }

    const QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestWorkloadOnTheWire)
#include "tst_workload_on_the_wire.moc"
