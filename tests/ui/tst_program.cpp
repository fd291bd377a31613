#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ran {
    int exitCode = -1;
    QString errors;
};

} // namespace

/// The program `lapbench` as it is called from a shell, without a display.
class TestProgram : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Ran run(const QStringList& arguments, const char* platform = "offscreen")
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("DISPLAY"));
        environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
        environment.insert(QStringLiteral("LAPBENCH_HOME"), m_folder.filePath(QStringLiteral("home")));
        if (platform)
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QLatin1String(platform));
        else
            environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(LAPBENCH_GUI), arguments);
        if (!process.waitForFinished(30'000) || process.exitStatus() != QProcess::NormalExit)
            return {-1, QString::fromUtf8(process.readAllStandardError())};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
    }

private slots:
    void aPictureOfThePageIsDrawnWithoutADisplay_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << QStringLiteral("light");
        QTest::newRow("dark") << QStringLiteral("dark");
    }
    void aPictureOfThePageIsDrawnWithoutADisplay()
    {
        QFETCH(QString, theme);
        const QString file = m_folder.filePath(theme + QStringLiteral(".png"));
        const Ran ran = run({QStringLiteral("--screenshot"), QStringLiteral("live"), QStringLiteral("--size"),
                             QStringLiteral("1000x700"), QStringLiteral("--theme"), theme, QStringLiteral("-o"), file,
                             QStringLiteral("hello")},
                            nullptr);
        QVERIFY2(ran.exitCode == 0, qPrintable(ran.errors));
        const QImage picture(file);
        QCOMPARE(picture.size(), QSize(1000, 700));
        QCOMPARE(picture.pixelColor(600, 600).lightness() < 128, theme == QLatin1String("dark"));
    }

    void wrongUsageIsOneSentenceAndExitCodeTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        QTest::newRow("scale") << QStringList{"--scale", "2"} << QStringLiteral("--scale");
        QTest::newRow("theme") << QStringList{"--theme", "pink"} << QStringLiteral("--theme");
        QTest::newRow("size") << QStringList{"--size", "big"} << QStringLiteral("--size");
        QTest::newRow("an unknown option") << QStringList{"--colour"} << QStringLiteral("colour");
        QTest::newRow("an unknown page") << QStringList{"--screenshot", "moon", "-o", "x.png"}
                                         << QStringLiteral("page");
        QTest::newRow("a picture without a file") << QStringList{"--screenshot", "live"} << QStringLiteral("-o");
        QTest::newRow("two files") << QStringList{"a", "b"} << QStringLiteral("one plan");
        QTest::newRow("a plan that is not there")
            << QStringList{"--screenshot", "live", "-o", "x.png", "no-such-plan"} << QStringLiteral("no-such-plan");
    }
    void wrongUsageIsOneSentenceAndExitCodeTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Ran ran = run(arguments);
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.errors.contains(said), qPrintable(ran.errors));
    }

    void withoutADisplayTheTerminalIsNamed()
    {
        const Ran ran = run({}, nullptr);
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.errors.contains(QStringLiteral("lapbench-cli run")), qPrintable(ran.errors));
    }

    void aPictureThatCannotBeWrittenIsExitCodeFour()
    {
        const Ran ran = run({QStringLiteral("--screenshot"), QStringLiteral("live"), QStringLiteral("-o"),
                             m_folder.filePath(QStringLiteral("no/such/folder.png")), QStringLiteral("hello")});
        QCOMPARE(ran.exitCode, 4);
    }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
