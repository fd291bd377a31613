#include "core/result/result_json.h"
#include "tests/ui/made_charts.h"
#include "ui/charts/chart_file.h"
#include "ui/charts/result_file.h"
#include "ui/models/comparison_model.h"
#include "ui/views/file_drop.h"
#include "ui/views/main_window.h"

#include <QAction>
#include <QDropEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

using namespace lapbench;

namespace {

const QString kSample = QStringLiteral(LAPBENCH_SOURCE_DIR "/resources/samples/json-api.lapbench.json");

/// Drags files over a point of a window and lets go, as the window system tells it. Whether it was taken.
bool drop(QWidget& window, const QPoint& at, const QList<QUrl>& addresses)
{
    QMimeData content;
    content.setUrls(addresses);
    content.setText(QStringLiteral("file")); // file managers tell the names as text too
    QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &content, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.windowHandle(), &enter);
    if (!enter.isAccepted()) {
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(window.windowHandle(), &leave);
        return false;
    }
    QDropEvent dropped(at, Qt::CopyAction | Qt::MoveAction, &content, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.windowHandle(), &dropped);
    return dropped.isAccepted() && dropped.dropAction() == Qt::CopyAction;
}

QString rateIn(const MainWindow& window, int row)
{
    const auto* table = window.findChild<QTableView*>(QStringLiteral("comparisonTable"));
    return table->model()->index(row, ComparisonModel::Rate).data().toString();
}

} // namespace

/// Files that are dropped on the window.
class TestFileDrop : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    SessionPlaces m_places;

    QString picture(const char* format)
    {
        const auto sample = readResultFile(kSample.toStdString());
        const PictureSource source = pictureSource(sample.value(), QStringLiteral("0.1.0"));
        const QByteArray bytes = qstrcmp(format, "svg") == 0 ? chartAsSvg(test::madeBars(), {}, source)
                                                             : chartAsPng(test::madeBars(), {}, 1, source);
        const QString path = m_folder.filePath(QStringLiteral("chart.%1").arg(QLatin1String(format)));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
    }

private slots:
    void initTestCase()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        m_places = {folder / "home", std::filesystem::path(LAPBENCH_SOURCE_DIR) / "resources", {}};
    }

    void aResultAndAPictureOfItShowTheSame_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("result") << kSample;
        QTest::newRow("svg") << picture("svg");
        QTest::newRow("png") << picture("png");
    }
    void aResultAndAPictureOfItShowTheSame()
    {
        QFETCH(QString, file);
        MainWindow window(m_places);
        window.show();
        QVERIFY(drop(window, {600, 600}, {QUrl::fromLocalFile(file)}));
        QCOMPARE(window.findChild<QLabel*>(QStringLiteral("planTitle"))->text(), QStringLiteral("JSON API throughput"));
        // The medians as lapbench-cli printed them when it ran that session.
        QCOMPARE(rateIn(window, 0), QStringLiteral("48.2k"));
        QCOMPARE(rateIn(window, 3), QStringLiteral("81.1k"));
        const QString copy = m_folder.filePath(QStringLiteral("copy.lapbench.json"));
        QVERIFY(window.saveResultTo(copy));
        const auto saved = readResultOrJournal(copy.toStdString());
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().cells.size(), std::size_t(4));
    }

    void aPlanIsOpenedAlsoOverAField()
    {
        MainWindow window(m_places);
        window.show();
        QVERIFY(window.open(kSample));
        auto* field = window.findChild<QLineEdit*>(QStringLiteral("connectionsEdit"));
        const QString before = field->text();
        const QString plan = QStringLiteral(LAPBENCH_SOURCE_DIR "/resources/plans/hello.plan.json");
        QVERIFY(drop(window, field->mapTo(&window, field->rect().center()), {QUrl::fromLocalFile(plan)}));
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("planTitle"))->text() !=
                QStringLiteral("JSON API throughput"));
        QVERIFY(window.findChild<QAction*>(QStringLiteral("startAction"))->isEnabled());
        QVERIFY(field->text() != before + QStringLiteral("file"));
    }

    void whatAnotherToolWroteHasItsTitleAndItsRowsAndCannotBeRun()
    {
        MainWindow window(m_places);
        QVERIFY(window.open(QStringLiteral(LAPBENCH_TEST_DATA "/import/bombardier/plain.json")));
        QCOMPARE(window.findChild<QLabel*>(QStringLiteral("planTitle"))->text(),
                 QStringLiteral("Result of bombardier"));
        QCOMPARE(window.findChild<QTableView*>(QStringLiteral("comparisonTable"))->model()->rowCount(), 1);
        QVERIFY(rateIn(window, 0) != QStringLiteral("–"));
        QVERIFY(!window.findChild<QAction*>(QStringLiteral("startAction"))->isEnabled());
    }

    void aPictureWithoutAResultIsASentence()
    {
        const QString plain = m_folder.filePath(QStringLiteral("plain.png"));
        QVERIFY(QImage(20, 20, QImage::Format_RGB32).save(plain));
        MainWindow window(m_places);
        window.show();
        QVERIFY(drop(window, {600, 600}, {QUrl::fromLocalFile(plain)}));
        QVERIFY2(window.messages().contains(QStringLiteral("plain.png: this picture carries no result")),
                 qPrintable(window.messages()));
    }

    void ofSeveralFilesTheFirstIsTakenAndThatIsSaid()
    {
        MainWindow window(m_places);
        window.show();
        const QUrl sample = QUrl::fromLocalFile(kSample);
        QVERIFY(drop(window, {600, 600}, {sample, sample, sample}));
        QCOMPARE(rateIn(window, 0), QStringLiteral("48.2k"));
        QVERIFY2(window.messages().contains(QStringLiteral("json-api.lapbench.json was taken of 3")),
                 qPrintable(window.messages()));
    }

    void whatIsNoFileOfThisMachineIsNotTaken()
    {
        MainWindow window(m_places);
        window.show();
        QVERIFY(!drop(window, {600, 600}, {QUrl(QStringLiteral("http://127.0.0.1/x.svg"))}));
        QVERIFY(!drop(window, {600, 600}, {}));
    }

    void whileSomethingRunsNothingIsTaken()
    {
        QWidget window;
        auto* field = new QLineEdit(&window);
        field->setGeometry(0, 0, 200, 40);
        window.resize(300, 200);
        auto* files = new FileDrop(&window);
        QSignalSpy dropped(files, &FileDrop::dropped);
        window.show();
        files->setOpen(false);
        for (const QPoint& at : {QPoint(100, 20), QPoint(250, 150)})
            QVERIFY(!drop(window, at, {QUrl::fromLocalFile(kSample)}));
        files->setOpen(true);
        for (const QPoint& at : {QPoint(100, 20), QPoint(250, 150)})
            QVERIFY(drop(window, at, {QUrl::fromLocalFile(kSample)}));
        QCOMPARE(dropped.size(), 2);
        QCOMPARE(dropped[0][0].toString(), kSample);
        QVERIFY(field->text().isEmpty());
    }
};

QTEST_MAIN(TestFileDrop)
#include "tst_file_drop.moc"
