#include "core/plan/url.h"

#include <QTest>

using namespace lapbench;

class TestUrl : public QObject {
    Q_OBJECT

private slots:
    void urlsAreSplit_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("path");
        QTest::newRow("all of it") << "http://127.0.0.1:8080/users?page=2"
                                   << "http://127.0.0.1:8080"
                                   << "/users?page=2";
        QTest::newRow("no path") << "http://localhost:1"
                                 << "http://localhost:1"
                                 << "/";
        QTest::newRow("no port") << "http://example.test/a"
                                 << "http://example.test"
                                 << "/a";
        QTest::newRow("a query alone") << "http://h?a=/b"
                                       << "http://h"
                                       << "/?a=/b";
        QTest::newRow("a fragment goes") << "http://h/a#b"
                                         << "http://h"
                                         << "/a";
        QTest::newRow("a placeholder stands as written") << "http://h:1/a/{{choice \"#1\" b?}}?{{random_int 1 9}}#f"
                                                         << "http://h:1"
                                                         << "/a/{{choice \"#1\" b?}}?{{random_int 1 9}}";
        QTest::newRow("an IPv6 address") << "http://[::1]:80/x"
                                         << "http://[::1]:80"
                                         << "/x";
    }
    void urlsAreSplit()
    {
        QFETCH(QString, url);
        QFETCH(QString, base);
        QFETCH(QString, path);
        const auto parts = splitUrl(url.toStdString());
        QVERIFY2(parts.ok(), parts.ok() ? "" : parts.problem().message.c_str());
        QCOMPARE(parts.value().base, base.toStdString());
        QCOMPARE(parts.value().path, path.toStdString());
    }

    void badUrlsAreRefusedWithACure_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << ""
                               << "no scheme";
        QTest::newRow("no scheme") << "localhost:8080/"
                                   << "no scheme";
        QTest::newRow("another scheme") << "ftp://h/"
                                        << "ftp";
        QTest::newRow("no host") << "http://"
                                 << "no host";
        QTest::newRow("no host but a port") << "http://:80/"
                                            << "no host";
        QTest::newRow("no host but a path") << "http:///users"
                                            << "no host";
        QTest::newRow("port 0") << "http://h:0/"
                                << "port";
        QTest::newRow("port too high") << "http://h:65536/"
                                       << "port";
        QTest::newRow("port missing") << "http://h:/"
                                      << "port";
        QTest::newRow("port no number") << "http://h:80a/"
                                        << "port";
        QTest::newRow("user name") << "http://u:p@h/"
                                   << "user name";
        QTest::newRow("blank") << "http://h/a b"
                               << "blanks";
        QTest::newRow("line break") << "http://h/a\r\nX: y"
                                    << "blanks";
        QTest::newRow("open bracket") << "http://[::1/"
                                      << "no host";
    }
    void badUrlsAreRefusedWithACure()
    {
        QFETCH(QString, url);
        QFETCH(QString, says);
        const auto parts = splitUrl(url.toStdString());
        QVERIFY(!parts.ok());
        QVERIFY2(parts.problem().message.find(says.toStdString()) != std::string::npos,
                 parts.problem().message.c_str());
        QVERIFY(!parts.problem().cure.empty());
    }
};

QTEST_APPLESS_MAIN(TestUrl)
#include "tst_url.moc"
