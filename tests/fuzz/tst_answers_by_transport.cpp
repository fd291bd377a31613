#include "tests/core/load/load_task.h"
#include "tests/fuzz/answers.h"
#include "tests/fuzz/readings.h"

#include <QTest>

using namespace lapbench;
using namespace lapbench::test;

/// What ResponseReader tells of an answer is what the keep-alive transport makes of it on a connection.
class TestAnswersByTransport : public QObject {
    Q_OBJECT

private:
    static constexpr std::uint64_t kRequests = 5;

private slots:
    void everyAnswerEndsAsItsVerdictSays_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("toHead");
        for (const Answer& answer : handMadeAnswers(LAPBENCH_SOURCE_DIR "/tests/fuzz/answers.txt"))
            QTest::newRow(answer.name.c_str()) << QByteArray::fromStdString(answer.bytes) << answer.toHead;
    }
    void everyAnswerEndsAsItsVerdictSays()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, toHead);
        KnownHead none;
        const Reading reading = readingOf(bytes.toStdString(), toHead, 0, none);
        const bool right = reading.done() && reading.leftover == 0;
        const bool keeps = right && reading.keepAlive;

        const OddServer server(bytes.toStdString(), !keeps);
        LoadTask task = countedTask(server.url(), 1, kRequests);
        task.workload.method = toHead ? "HEAD" : "GET";
        const LoadFigures figures = runOf(task).figures;
        QCOMPARE(server.requests(), kRequests);
        QCOMPARE(server.connections(), keeps ? 1 : kRequests);
        if (right && reading.status < 400) {
            QCOMPARE(figures.ok, kRequests);
            QCOMPARE(figures.bodyReceived, kRequests * reading.bodyBytes);
            return;
        }
        QCOMPARE(figures.failed, kRequests);
        QCOMPARE(figures.errors.size(), std::size_t(1));
        const ErrorKind kind = right                                                ? ErrorKind::unexpectedStatus
                               : reading.progress == ResponseReader::Progress::more ? ErrorKind::closedEarly
                                                                                    : ErrorKind::malformed;
        QCOMPARE(std::string(errorKindName(figures.errors[0].kind)), std::string(errorKindName(kind)));
    }
};

QTEST_APPLESS_MAIN(TestAnswersByTransport)
#include "tst_answers_by_transport.moc"
