#include "core/result/result_json.h"
#include "ui/models/number_format.h"
#include "ui/views/main_window.h"

#include <QCheckBox>
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace lapbench;

namespace {
constexpr int kDeadlineMs = 60'000;
} // namespace

/// The window as a user has it, with the real lapbench-cli and the built-in server.
class TestWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    SessionPlaces m_places;
    int m_number = 0;

    QString write(const QString& name, const QByteArray& text)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("no temporary file");
        return path;
    }

    QString planOf(unsigned rounds, const char* duration, const char* more = "")
    {
        const QString text = QStringLiteral(R"({"schema": "lapbench-plan", "schema_version": 1, "name": "t",
            "title": "A small plan", "targets": [{"name": "one", "label": "Server one", "builtin": true},
            {"name": "two", "label": "Server two", "builtin": true}], "load": {"connections": [4], "threads": 1},
            "measure": {"duration": "%1"}, "noisy_repeats": 0, "rounds": %2%3})");
        return write(QStringLiteral("p%1.plan.json").arg(++m_number),
                     text.arg(QLatin1String(duration)).arg(rounds).arg(QLatin1String(more)).toUtf8());
    }

    /// Processes that carry this test's own LAPBENCH_HOME in their environment: all that the window started.
    QStringList leftOver() const
    {
        QStringList found;
        const QByteArray mark = "LAPBENCH_HOME=" + QByteArray::fromStdString(m_places.home.string());
        const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
        for (const QString& entry : entries) {
            if (entry.toLongLong() <= 0 || entry.toLongLong() == QCoreApplication::applicationPid())
                continue;
            QFile environment(QStringLiteral("/proc/%1/environ").arg(entry));
            if (environment.open(QIODevice::ReadOnly) && environment.readAll().split('\0').contains(mark))
                found << entry;
        }
        return found;
    }

    static QString cell(const MainWindow& window, int row, int column)
    {
        const auto* table = window.findChild<QTableView*>(QStringLiteral("comparisonTable"));
        return table->model()->index(row, column).data().toString();
    }

    static int filledRows(const MainWindow& window)
    {
        int filled = 0;
        for (int row = 0; row < 2; ++row)
            filled += cell(window, row, ComparisonModel::Rate) != missingFigure() ? 1 : 0;
        return filled;
    }

    static LiveSessionEnd waitForEnd(QSignalSpy& ended)
    {
        if (ended.isEmpty())
            ended.wait(kDeadlineMs);
        return ended.isEmpty() ? LiveSessionEnd{false, -1, false, {}, QStringLiteral("no end")}
                               : ended.first().first().value<LiveSessionEnd>();
    }

private slots:
    void initTestCase()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        m_places = {folder / "home", std::filesystem::path(LAPBENCH_SOURCE_DIR) / "resources", LAPBENCH_CLI};
        qputenv("LAPBENCH_HOME", QByteArray::fromStdString(m_places.home.string()));
        qputenv("LAPBENCH_RESOURCES", QByteArray::fromStdString(m_places.resources.string()));
    }

    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(leftOver(), QStringList(), 5000); }

    void everythingOneUsesHasANameForPeopleAndForTests()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(QStringLiteral("json-api"), 0.2));
        for (const char* name :
             {"planTitle", "targetList", "connectionsEdit", "durationEdit", "roundsSpin", "scaleSpin", "rpsChart",
              "latencyChart", "cpuGauge", "rssGauge", "comparisonTable", "serversTable", "trialQueue", "progressBar",
              "progressLabel", "serverOutput", "messageBar"}) {
            const auto* widget = window.findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(widget, name);
            QVERIFY2(!widget->accessibleName().isEmpty(), name);
        }
        for (const char* name : {"openAction", "saveAction", "startAction", "stopAction"}) {
            const auto* action = window.findChild<QAction*>(QLatin1String(name));
            QVERIFY2(action && !action->text().isEmpty() && !action->toolTip().isEmpty(), name);
        }
        QCOMPARE(window.objectName(), QStringLiteral("mainWindow"));
    }

    void aShippedPlanIsShownAsItWillRun()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(QStringLiteral("json-api"), 0.2));
        QCOMPARE(window.findChild<QLabel*>(QStringLiteral("planTitle"))->text(), QStringLiteral("JSON API throughput"));
        const auto* targets = window.findChild<QListView*>(QStringLiteral("targetList"));
        QCOMPARE(targets->model()->rowCount(), 4);
        QCOMPARE(targets->model()->index(0, 0).data(TargetModel::RuntimeRole).toString(),
                 QStringLiteral("Node.js 22.9.0"));
        QCOMPARE(window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit"))->text(), QStringLiteral("256"));
        QCOMPARE(window.findChild<QLineEdit*>(QStringLiteral("durationEdit"))->text(), QStringLiteral("30s"));
        QCOMPARE(window.findChild<QSpinBox*>(QStringLiteral("roundsSpin"))->value(), 3);
        const auto* queue = window.findChild<QListView*>(QStringLiteral("trialQueue"));
        QCOMPARE(queue->model()->rowCount(), 12);
        QVERIFY(targets->model()->setData(targets->model()->index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(queue->model()->rowCount(), 9);
        window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit"))->clear();
        QTest::keyClicks(window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit")), QStringLiteral("16, 64"));
        QCOMPARE(queue->model()->rowCount(), 18);
    }

    void whatCannotBeOpenedIsSaidAndStaysUntilDismissed_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("said");
        QTest::newRow("no such plan") << QStringLiteral("no-such-plan") << QStringLiteral("no-such-plan");
        QTest::newRow("no JSON") << write(QStringLiteral("a.plan.json"), "hello") << QStringLiteral("JSON");
        QTest::newRow("an unknown key") << write(QStringLiteral("b.plan.json"),
                                                 R"({"schema":"lapbench-plan","schema_version":1,"name":"t","rouns":2,)"
                                                 R"("targets":[{"name":"a","builtin":true}]})")
                                        << QStringLiteral("rounds");
        QTest::newRow("no result") << write(QStringLiteral("c.lapbench.json"), "{}")
                                   << QStringLiteral("c.lapbench.json");
    }
    void whatCannotBeOpenedIsSaidAndStaysUntilDismissed()
    {
        QFETCH(QString, file);
        QFETCH(QString, said);
        MainWindow window(m_places);
        window.show();
        QVERIFY(!window.open(file));
        QVERIFY2(window.messages().contains(said), qPrintable(window.messages()));
        auto* bar = window.findChild<MessageBar*>(QStringLiteral("messageBar"));
        QVERIFY(bar->isVisible());
        QVERIFY(!window.findChild<QAction*>(QStringLiteral("startAction"))->isEnabled());
        while (auto* dismiss =
                   bar->isVisible() ? bar->findChild<QToolButton*>(QStringLiteral("dismissButton")) : nullptr) {
            dismiss->click();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QVERIFY(window.messages().isEmpty());
    }

    void aSessionRunsTheTableFillsAndTheResultIsSaved()
    {
        MainWindow window(m_places);
        window.show();
        QVERIFY(window.open(planOf(2, "500ms")));
        QCOMPARE(filledRows(window), 0);
        QSignalSpy ended(&window, &MainWindow::sessionEnded);
        window.findChild<QAction*>(QStringLiteral("startAction"))->trigger();
        QVERIFY2(window.isRunning(), qPrintable(window.messages()));
        QVERIFY(!window.findChild<QAction*>(QStringLiteral("startAction"))->isEnabled());
        QVERIFY(!window.findChild<QLineEdit*>(QStringLiteral("durationEdit"))->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(filledRows(window), 1, kDeadlineMs);
        QVERIFY(window.isRunning());
        const LiveSessionEnd end = waitForEnd(ended);
        QVERIFY2(end.exitCode == 0, qPrintable(end.message));
        QCOMPARE(filledRows(window), 2);
        QCOMPARE(cell(window, 0, ComparisonModel::Ratio), QStringLiteral("1.00"));
        QCOMPARE(cell(window, 1, ComparisonModel::Rounds), QStringLiteral("2 of 2"));
        QCOMPARE(window.findChild<QProgressBar*>(QStringLiteral("progressBar"))->value(), 1000);
        QVERIFY(window.findChild<LatencyChart*>()->summary().contains(QStringLiteral("p50")));

        const QString copy = m_folder.filePath(QStringLiteral("copy.lapbench.json"));
        QVERIFY(window.findChild<QAction*>(QStringLiteral("saveAction"))->isEnabled());
        QVERIFY(window.saveResultTo(copy));
        const auto saved = readResultOrJournal(copy.toStdString());
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().trials.size(), std::size_t(4));
        QVERIFY(!window.saveResultTo(m_folder.filePath(QStringLiteral("c.lapbench.json/x.lapbench.json"))));
        QVERIFY(!window.messages().isEmpty());

        MainWindow second(m_places);
        QVERIFY2(second.open(copy), qPrintable(second.messages()));
        QCOMPARE(filledRows(second), 2);
        for (const int column : {ComparisonModel::Target, ComparisonModel::Rate, ComparisonModel::P99})
            QCOMPARE(cell(second, 1, column), cell(window, 1, column));
        QVERIFY(second.findChild<LatencyChart*>()->summary().contains(QStringLiteral("p50")));
    }

    void coldStartsComeWithTheResult()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(planOf(1, "500ms", R"(, "cold_starts": 2)")));
        QCOMPARE(cell(window, 0, ComparisonModel::ColdStartCount), missingFigure());
        QSignalSpy ended(&window, &MainWindow::sessionEnded);
        window.startSession();
        const LiveSessionEnd end = waitForEnd(ended);
        QVERIFY2(end.exitCode == 0, qPrintable(end.message));
        for (const int row : {0, 1}) {
            QCOMPARE(cell(window, row, ComparisonModel::ColdStartCount), QStringLiteral("2"));
            QVERIFY(cell(window, row, ComparisonModel::ColdStartMedian) != missingFigure());
            QVERIFY(cell(window, row, ComparisonModel::IdleMemory) != missingFigure());
        }
        MainWindow second(m_places);
        QVERIFY2(second.open(end.result), qPrintable(second.messages()));
        for (const int column : {ComparisonModel::ColdStartMedian, ComparisonModel::ColdStartP95,
                                 ComparisonModel::Efficiency, ComparisonModel::SettledMemory})
            QCOMPARE(cell(second, 1, column), cell(window, 1, column));
    }

    void theChosenPartIsWhatRuns()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(planOf(2, "10s")));
        const auto* targets = window.findChild<QListView*>(QStringLiteral("targetList"));
        QVERIFY(targets->model()->setData(targets->model()->index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit"))->setText(QStringLiteral("2, 3"));
        window.findChild<QLineEdit*>(QStringLiteral("durationEdit"))->setText(QStringLiteral("600ms"));
        window.findChild<QSpinBox*>(QStringLiteral("roundsSpin"))->setValue(1);
        window.findChild<QDoubleSpinBox*>(QStringLiteral("scaleSpin"))->setValue(0.5);
        QSignalSpy ended(&window, &MainWindow::sessionEnded);
        window.startSession();
        const LiveSessionEnd end = waitForEnd(ended);
        QVERIFY2(end.exitCode == 0, qPrintable(end.message));
        const auto result = readResultOrJournal(end.result.toStdString());
        QVERIFY(result.ok());
        QCOMPARE(result.value().scale, 0.5);
        QCOMPARE(result.value().trials.size(), std::size_t(2));
        QCOMPARE(result.value().trials[0].target, std::string("two"));
        QCOMPARE(result.value().trials[0].level.connections, 2U);
        QCOMPARE(result.value().trials[1].level.connections, 3U);
        QVERIFY(result.value().trials[0].load.durationSeconds < 2);
    }

    void aWrongChoiceIsSaidAndStartsNothing()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(planOf(2, "1s")));
        window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit"))->setText(QStringLiteral("many"));
        window.findChild<QLineEdit*>(QStringLiteral("durationEdit"))->setText(QStringLiteral("-3s"));
        window.startSession();
        QVERIFY(!window.isRunning());
        QVERIFY2(window.messages().contains(QStringLiteral("load.connections")), qPrintable(window.messages()));
        QVERIFY2(window.messages().contains(QStringLiteral("measure")), qPrintable(window.messages()));
    }

    void aMissingRuntimeIsAskedForAndNothingStarts()
    {
        MainWindow window(m_places);
        window.show();
        QVERIFY(window.open(QStringLiteral("json-api")));
        window.startSession();
        QVERIFY(!window.isRunning());
        QVERIFY2(window.messages().contains(QStringLiteral("Bun 1.1.30")), qPrintable(window.messages()));
        const auto* button = window.findChild<QPushButton*>(QStringLiteral("messageButton"));
        QVERIFY(button && button->isVisible());
    }

    void aSessionStoppedHalfWayKeepsWhatItMeasured()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(planOf(10, "500ms")));
        QSignalSpy ended(&window, &MainWindow::sessionEnded);
        window.startSession();
        QTRY_VERIFY_WITH_TIMEOUT(filledRows(window) > 0, kDeadlineMs);
        window.findChild<QAction*>(QStringLiteral("stopAction"))->trigger();
        QVERIFY(!window.findChild<QAction*>(QStringLiteral("stopAction"))->isEnabled());
        const LiveSessionEnd end = waitForEnd(ended);
        QCOMPARE(end.exitCode, 130);
        const auto result = readResultOrJournal(end.result.toStdString());
        QVERIFY(result.ok());
        QVERIFY(!result.value().trials.empty());
        QVERIFY(result.value().trials.size() < 20);
        QVERIFY(filledRows(window) > 0);
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("progressLabel"))->text().contains(QStringLiteral("Stopped")));
        QVERIFY(window.findChild<QAction*>(QStringLiteral("startAction"))->isEnabled());
    }

    void closingTheWindowEndsTheSession()
    {
        MainWindow window(m_places);
        window.show();
        QVERIFY(window.open(planOf(10, "1s")));
        QSignalSpy ended(&window, &MainWindow::sessionEnded);
        window.startSession();
        QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<RateChart*>()->summary().contains(QStringLiteral("No requests")),
                                 kDeadlineMs);
        window.close();
        const LiveSessionEnd end = waitForEnd(ended);
        QCOMPARE(end.exitCode, 130);
        QVERIFY(!window.isVisible());
        QVERIFY(QFile::exists(end.result));
    }

    void aWindowThatIsGoneLeavesNothingBehind()
    {
        {
            MainWindow window(m_places);
            QVERIFY(window.open(planOf(10, "1s")));
            window.startSession();
            QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<RateChart*>()->summary().contains(QStringLiteral("No requests")),
                                     kDeadlineMs);
            QVERIFY(!leftOver().isEmpty());
        }
        QTRY_COMPARE_WITH_TIMEOUT(leftOver(), QStringList(), 5000);
    }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
