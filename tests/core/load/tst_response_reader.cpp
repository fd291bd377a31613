#include "core/load/response_reader.h"

#include <QTest>

#include <cstring>
#include <utility>

using namespace lapbench;
using Progress = ResponseReader::Progress;

namespace {

struct Reading {
    Progress progress = Progress::more;
    int status = 0;
    std::uint64_t body = 0;
    bool keepAlive = false;
    std::size_t leftover = 0;

    bool operator==(const Reading&) const = default;
};

Reading read(KnownHead& known, const std::string& bytes, std::size_t piece, bool toHead = false, bool thenClose = false)
{
    ResponseReader reader;
    reader.begin(toHead);
    Progress progress = Progress::more;
    std::size_t at = 0;
    while (at < bytes.size() && progress == Progress::more) {
        const std::size_t size = std::min(piece, bytes.size() - at);
        progress = reader.feed(known, bytes.data() + at, size);
        at += size;
    }
    if (progress == Progress::more && thenClose)
        progress = reader.close();
    Reading reading{progress, reader.headDone() ? reader.status() : 0, reader.bodyBytes(), false, 0};
    if (progress == Progress::done) {
        reading.keepAlive = reader.keepAlive();
        reading.leftover = reader.leftover() + bytes.size() - at;
    }
    return reading;
}

/// Whether the answer came whole, and whether its body was cut.
std::pair<bool, bool> collect(KnownHead& known, const std::string& bytes, std::size_t piece, std::string& body,
                              std::size_t most)
{
    ResponseReader reader;
    reader.begin(false, &body, most);
    Progress progress = Progress::more;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        progress = reader.feed(known, bytes.data() + at, std::min(piece, bytes.size() - at));
    if (progress == Progress::more)
        progress = reader.close();
    return {progress == Progress::done && reader.bodyBytes() == 11, reader.bodyBytes() > body.size()};
}

/// In one piece, a second time with its head known, and byte by byte: all three must agree.
Reading readEachWay(const std::string& bytes, bool toHead = false, bool thenClose = false)
{
    KnownHead known;
    const Reading first = read(known, bytes, bytes.size(), toHead, thenClose);
    const Reading again = read(known, bytes, bytes.size(), toHead, thenClose);
    KnownHead none;
    const Reading slow = read(none, bytes, 1, toHead, thenClose);
    if (first == again && (first.progress != Progress::done || first == slow))
        return first;
    return {Progress::malformed, -1, 0, false, 0};
}

} // namespace

class TestResponseReader : public QObject {
    Q_OBJECT

private slots:
    void answersEndWhereTheyShould_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        QTest::addColumn<quint64>("body");
        QTest::addColumn<bool>("keepAlive");
        QTest::newRow("a length") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") << 200
                                  << quint64(5) << true;
        QTest::newRow("length zero") << QByteArray("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") << 404
                                     << quint64(0) << true;
        QTest::newRow("announced close")
            << QByteArray("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello") << 200 << quint64(5)
            << false;
        QTest::newRow("HTTP/1.0") << QByteArray("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello") << 200
                                  << quint64(5) << false;
        QTest::newRow("HTTP/1.0 kept alive")
            << QByteArray("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello") << 200
            << quint64(5) << true;
        // RFC 9112 9.3 and 6.1.
        QTest::newRow("HTTP/1.0 kept alive and closed")
            << QByteArray("HTTP/1.0 200 OK\r\nConnection: close, keep-alive\r\nContent-Length: 5\r\n\r\nhello") << 200
            << quint64(5) << false;
        QTest::newRow("HTTP/1.0 kept alive, in chunks")
            << QByteArray("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "5\r\nhello\r\n0\r\n\r\n")
            << 200 << quint64(5) << false;
        QTest::newRow("chunks") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                              "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n")
                                << 200 << quint64(11) << true;
        QTest::newRow("a trailer") << QByteArray(
                                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                                          "5\r\nhello\r\n0\r\nX-Sum: abc\r\n\r\n")
                                   << 200 << quint64(5) << true;
        QTest::newRow("204 with a length")
            << QByteArray("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n") << 204 << quint64(0) << true;
        QTest::newRow("304 with a length")
            << QByteArray("HTTP/1.1 304 Not Modified\r\nContent-Length: 1234\r\n\r\n") << 304 << quint64(0) << true;
        QTest::newRow("304 without") << QByteArray("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n") << 304
                                     << quint64(0) << true;
        QTest::newRow("103 before") << QByteArray("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                                                  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                                    << 200 << quint64(5) << true;
        QTest::newRow("103 with a close before")
            << QByteArray("HTTP/1.1 103 Early Hints\r\nConnection: close\r\nContent-Length: 9\r\n\r\n"
                          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            << 200 << quint64(5) << true;
    }
    void answersEndWhereTheyShould()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        QFETCH(quint64, body);
        QFETCH(bool, keepAlive);
        QVERIFY((readEachWay(bytes.toStdString()) == Reading{Progress::done, status, body, keepAlive, 0}));
        // Whatever follows is left over and not swallowed.
        QCOMPARE(readEachWay(bytes.toStdString() + "XYZ").leftover, std::size_t(3));
        for (qsizetype cut = 1; cut < bytes.size(); ++cut)
            QVERIFY(readEachWay(bytes.left(cut).toStdString()).progress == Progress::more);
    }

    void anAnswerToHeadHasNoBody()
    {
        const Reading expected{Progress::done, 200, 0, true, 0};
        QVERIFY(readEachWay("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n", true) == expected);
        QVERIFY(readEachWay("HTTP/1.1 200 OK\r\n\r\n", true) == expected);
        QVERIFY(readEachWay("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true) == expected);
    }

    void withoutALengthTheCloseEndsTheBody()
    {
        QVERIFY(
            (readEachWay("HTTP/1.1 200 OK\r\n\r\nhello", false, true) == Reading{Progress::done, 200, 5, false, 0}));
        QVERIFY((readEachWay("HTTP/1.0 200 OK\r\n\r\n", false, true) == Reading{Progress::done, 200, 0, false, 0}));
    }

    void aCloseInTheMiddleEndsNothing()
    {
        for (const char* bytes : {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                                  "HTTP/1.1 103 Early Hints\r\n\r\n"})
            QVERIFY2(readEachWay(bytes, false, true).progress == Progress::more, bytes);
    }

    void whatIsNoHttpIsMalformed()
    {
        for (const char* bytes : {"\x16\x03\x01 no http\r\n\r\n",
                                  "HTTP/1.1 abc OK\r\n\r\n",
                                  "hello",
                                  "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!!0\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, x-coded\r\n\r\n",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n x\r\n\r\n",
                                  "HTTP/2.0 200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/0.9 200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1 0200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1  200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1 20 OK\r\nContent-Length: 5\r\n\r\n",
                                  "\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1 103 Early\r\n\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                                  "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"}) {
            KnownHead known;
            ResponseReader reader;
            reader.begin(false);
            QVERIFY2(reader.feed(known, bytes, std::strlen(bytes)) == Progress::malformed, bytes);
            QVERIFY2(!reader.reason().empty(), bytes);
            KnownHead none;
            QVERIFY2(read(none, bytes, 1).progress == Progress::malformed, bytes);
        }
    }

    void aHeadBeyondTheLimitIsTooLarge()
    {
        const std::string piece = "X-A: " + std::string(1000, 'a') + "\r\n";
        ResponseReader reader;
        KnownHead known;
        reader.begin(false);
        Progress progress = reader.feed(known, "HTTP/1.1 200 OK\r\n", 17);
        std::size_t sent = 17;
        while (progress == Progress::more && sent < 2 * ResponseReader::kMostHeadBytes) {
            progress = reader.feed(known, piece.data(), piece.size());
            sent += piece.size();
        }
        QVERIFY(progress == Progress::tooLarge);
        QVERIFY(sent > ResponseReader::kMostHeadBytes);
    }

    void answersThatOnlyGoBeforeWithoutEndAreTooLarge()
    {
        const std::string early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
        ResponseReader reader;
        KnownHead known;
        reader.begin(false);
        Progress progress = Progress::more;
        std::size_t sent = 0;
        for (; progress == Progress::more && sent < 2 * ResponseReader::kMostHeadBytes; sent += early.size())
            progress = reader.feed(known, early.data(), early.size());
        QVERIFY(progress == Progress::tooLarge);
        QVERIFY(sent > ResponseReader::kMostHeadBytes && !reader.headDone());
    }

    void aKnownHeadIsOnlyTakenForTheSameBytes()
    {
        KnownHead known;
        const std::string first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        QVERIFY(read(known, first, first.size()).progress == Progress::done);
        QCOMPARE(known.bytes, first.substr(0, first.size() - 5));
        // One byte of the head differs: another length, another status.
        const std::string second = "HTTP/1.1 201 OK\r\nContent-Length: 3\r\n\r\nabc";
        QVERIFY((read(known, second, second.size()) == Reading{Progress::done, 201, 3, true, 0}));
        QCOMPARE(known.status, 201);
        // The head alone, then the body in pieces.
        QVERIFY((read(known, second, second.size() - 2) == Reading{Progress::done, 201, 3, true, 0}));
        // What went before belongs to it.
        const std::string early = "HTTP/1.1 103 Early Hints\r\n\r\n" + first;
        QVERIFY((read(known, early, early.size()) == Reading{Progress::done, 200, 5, true, 0}));
        QCOMPARE(known.bytes, early.substr(0, early.size() - 5));
        QVERIFY((read(known, second, second.size()) == Reading{Progress::done, 201, 3, true, 0}));
        // What has no length of its own is never known.
        const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        QVERIFY(read(known, chunked, chunked.size()).progress == Progress::done);
        QCOMPARE(known.status, 201);
    }

    void theBodyIsCollectedWhereItIsAskedFor_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("a length") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world");
        QTest::newRow("chunks") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                              "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX: y\r\n\r\n");
        QTest::newRow("until the close") << QByteArray("HTTP/1.1 200 OK\r\n\r\nhello world");
        QTest::newRow("103 before") << QByteArray("HTTP/1.1 103 Early Hints\r\n\r\n"
                                                  "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world");
    }
    void theBodyIsCollectedWhereItIsAskedFor()
    {
        QFETCH(QByteArray, bytes);
        const std::string answer = bytes.toStdString();
        KnownHead known;
        // Twice with each size, so that the second time the head is known where it can be.
        for (std::size_t piece = answer.size(); piece > 0; --piece)
            for (int turn = 0; turn < 2; ++turn) {
                std::string body = "before: ";
                std::string cut;
                QVERIFY(collect(known, answer, piece, body, ResponseReader::kMostBodyBytes) == std::pair(true, false));
                QCOMPARE(body, std::string("before: hello world"));
                QVERIFY(collect(known, answer, piece, cut, 7) == std::pair(true, true));
                QCOMPARE(cut, std::string("hello w"));
                body.clear();
                QVERIFY(collect(known, answer, piece, body, 11) == std::pair(true, false));
                QCOMPARE(body, std::string("hello world"));
            }
    }

    void theSameHeadMeansSomethingElseToHead()
    {
        const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        const std::string head = answer.substr(0, answer.size() - 5);
        KnownHead known;
        for (int turn = 0; turn < 2; ++turn) {
            QVERIFY((read(known, head, head.size(), true) == Reading{Progress::done, 200, 0, true, 0}));
            QVERIFY((read(known, answer, answer.size()) == Reading{Progress::done, 200, 5, true, 0}));
            QVERIFY(read(known, head, head.size()).progress == Progress::more);
        }
    }

    void aReaderServesOneAnswerAfterTheOther()
    {
        KnownHead known;
        ResponseReader reader;
        for (const char* bytes :
             {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\n\r\n",
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
              "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"}) {
            reader.begin(false);
            QVERIFY(!reader.started());
            QVERIFY(reader.feed(known, bytes, std::strlen(bytes)) == Progress::done);
            QVERIFY(reader.started() && reader.keepAlive());
        }
        QCOMPARE(reader.bodyBytes(), std::uint64_t(5));
    }
};

QTEST_APPLESS_MAIN(TestResponseReader)
#include "tst_response_reader.moc"
