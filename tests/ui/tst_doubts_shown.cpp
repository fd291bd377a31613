#include "core/plan/schedule.h"
#include "tests/support/made_trials.h"
#include "ui/views/live_page.h"
#include "ui/views/message_bar.h"
#include "ui/views/target_delegate.h"

#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace lapbench;

namespace {

/// Two targets of two rounds; the first once more where it is asked for.
Plan planOf(bool control)
{
    Plan plan;
    plan.targets.resize(2);
    plan.targets[0].name = "node";
    plan.targets[0].label = "Node";
    plan.targets[1].name = "bun";
    plan.targets[1].label = "Bun";
    plan.workloads.front().name = "user";
    plan.rounds = 2;
    plan.order = OrderKind::fixed;
    plan.aaControl = control;
    applyControl(plan);
    return plan;
}

void handle(LivePage& page, const QByteArray& line)
{
    const auto event = parseSessionEvent(line);
    QVERIFY2(event.ok(), line.constData());
    page.handle(event.value());
}

QByteArray started(int index, const char* target, int round, int attempt)
{
    return QStringLiteral(R"({"event":"trial_started","index":%1,"target":"%2","workload":"user",)"
                          R"("level":{"connections":64},"round":%3,"attempt":%4})")
        .arg(index)
        .arg(QLatin1String(target))
        .arg(round)
        .arg(attempt)
        .toUtf8();
}

QStringList queueOf(const LivePage& page)
{
    const auto* model = page.findChild<QListView*>(QStringLiteral("trialQueue"))->model();
    QStringList rows;
    for (int row = 0; row < model->rowCount(); ++row)
        rows << model->index(row, 0).data().toString() + QLatin1Char(' ') +
                    model->index(row, 0).data(TrialQueueModel::DetailRole).toString();
    return rows;
}

QString sentenceOf(const LivePage& page)
{
    return page.findChild<QLabel*>(QStringLiteral("verdictSentence"))->text();
}

QPen penOf(const RateChart& chart, bool last)
{
    const auto all = chart.chart()->series();
    return qobject_cast<QLineSeries*>(last ? all.last() : all.first())->pen();
}

const std::vector<LivePoint> kPoints = {{1, 10.0, 1.0, 2.0, 3.0, 4.0, 0.02}, {2, 10.0, 1.0, 2.0, 3.0, 4.0, 0.34}};

} // namespace

class TestDoubtsShown : public QObject {
    Q_OBJECT

private slots:
    void theControlHasItsOwnRowInTableAndQueue()
    {
        LivePage page(new QWidget);
        page.expect(planOf(true));
        QCOMPARE(page.comparison().rowCount(), 3);
        QCOMPARE(page.comparison().index(2, 0).data().toString(), QStringLiteral("Node again"));
        QCOMPARE(queueOf(page).mid(0, 3),
                 QStringList({"Node 64 · round 1", "Bun 64 · round 1", "Node again 64 · round 1"}));
    }

    void aRoundRunAgainIsPutIntoTheQueue()
    {
        LivePage page(new QWidget);
        page.expect(planOf(false));
        page.begin();
        handle(page, R"({"event":"session_started","trials":4})");
        handle(page, started(0, "node", 1, 1));
        handle(page, started(1, "bun", 1, 1));
        handle(page, started(2, "node", 1, 2));
        QCOMPARE(queueOf(page), QStringList({"Node 64 · round 1", "Bun 64 · round 1", "Node 64 · round 1 again",
                                             "Bun 64 · round 1 again", "Node 64 · round 2", "Bun 64 · round 2"}));
        const auto* label = page.findChild<QLabel*>(QStringLiteral("progressLabel"));
        QTRY_VERIFY2(label->text().contains(QStringLiteral("Trial 3 of 6")), qPrintable(label->text()));
        QVERIFY(label->text().contains(QStringLiteral("round 1 again")));
    }

    void roundsBeyondThePlannedOnesAreShown()
    {
        Plan plan = planOf(false);
        plan.rounds.reset();
        plan.untilCi = 0.02;
        LivePage page(new QWidget);
        page.expect(plan);
        QCOMPARE(queueOf(page).size(), 12); // 6 rounds of 2 targets
        page.begin();
        handle(page, R"({"event":"session_started","trials":12})");
        handle(page, started(12, "node", 7, 1));
        QCOMPARE(queueOf(page).size(), 14);
        QCOMPARE(queueOf(page).last(), QStringLiteral("Bun 64 · round 7"));
        const auto* label = page.findChild<QLabel*>(QStringLiteral("progressLabel"));
        QTRY_VERIFY2(label->text().contains(QStringLiteral("Trial 13 of at least 14")), qPrintable(label->text()));

        LiveSessionEnd end;
        end.result = QStringLiteral("r");
        page.end(end); // the runner says that intervals are narrow enough
        QCOMPARE(queueOf(page).size(), 13);
        QCOMPARE(page.comparison().index(0, ComparisonModel::Rounds).data().toString(), QStringLiteral("0 of 7"));
    }

    void theSentenceStandsAboveTheTableAndFollowsTheSelection()
    {
        LivePage page(new QWidget);
        page.expect(planOf(false));
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("verdictSentence"))->isHidden());
        handle(page,
               R"({"event":"round_finished","round":1,"comparisons":[{"workload":"user","level":{"connections":64},)"
               R"("metric":"rps","a":"node","b":"bun","ratio":1.34,"rounds":1,"verdict":"cannot_tell","thin":true,)"
               R"("sentence":"Bun and Node: 1.34, 1 round"}]})");
        QCOMPARE(sentenceOf(page), QStringLiteral("Bun and Node: 1.34, 1 round"));
        auto* table = page.findChild<QTableView*>(QStringLiteral("comparisonTable"));
        table->selectRow(0);
        QCOMPARE(sentenceOf(page), QStringLiteral("Node is what the others are compared with"));
        table->selectRow(1);
        QCOMPARE(sentenceOf(page), QStringLiteral("Bun and Node: 1.34, 1 round"));
    }

    void doubtsOfTrialsAreToldOnceATargetAndThoseOfTheSessionAsTheyCome()
    {
        LivePage page(new QWidget);
        page.expect(planOf(false));
        QSignalSpy warned(&page, &LivePage::warned);
        const QByteArray example =
            R"({"event":"warning","code":"example","severity":"warning","text":"An example.","evidence":"1 of 2"})";
        handle(page, started(0, "node", 1, 1));
        page.handle(TrialFinished{0, test::madeTrial("node", 1, 100)}); // it carries that warning
        handle(page, example);
        handle(page, started(2, "node", 2, 1));
        page.handle(TrialFinished{2, test::madeTrial("node", 2, 100)});
        handle(page, example);
        QCOMPARE(warned.size(), 1);
        QCOMPARE(warned.first().first().value<Warning>().text, std::string("Node, round 1: An example."));
        handle(page, R"({"event":"warning","code":"budget_ended","severity":"warning","text":"The budget ended"})");
        QCOMPARE(warned.size(), 2);
        QCOMPARE(warned.last().first().value<Warning>().text, std::string("The budget ended"));
    }

    void theMessageBarSaysNothingTwiceAndKeepsErrors()
    {
        MessageBar bar;
        bar.collect(MessageKind::error, QStringLiteral("fair"), QStringLiteral("Bodies differ"));
        bar.collect(MessageKind::error, QStringLiteral("fair"), QStringLiteral("Bodies differ"));
        QCOMPARE(bar.text(), QStringLiteral("Bodies differ"));
        bar.collect(MessageKind::error, QStringLiteral("fair"), QStringLiteral("The status differs"));
        bar.collect(MessageKind::error, QStringLiteral("fair"), QStringLiteral("Compression differs"));
        QCOMPARE(bar.text(), QStringLiteral("Bodies differ\nThe status differs\nCompression differs"));
        const auto labels = bar.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text() == QLatin1String("Bodies differ (and 2 more)");
        }));
        bar.collect(MessageKind::warning, QStringLiteral("w"), QStringLiteral("a warning"));
        for (int i = 0; i < 10; ++i)
            bar.collect(MessageKind::info, QStringLiteral("i%1").arg(i), QStringLiteral("news %1").arg(i));
        QVERIFY(bar.text().startsWith(QStringLiteral("Bodies differ")));
        QVERIFY(bar.text().contains(QStringLiteral("a warning")));
        QVERIFY(bar.text().endsWith(QStringLiteral("a warning\nnews 9")));
        bar.dismiss(QStringLiteral("fair"));
        QVERIFY(!bar.text().contains(QStringLiteral("Bodies differ")));
    }

    void curvesThatAreNotRankedAreDashedAndSaySo()
    {
        RateChart chart;
        chart.setFinished({{kPoints, 0, QStringLiteral("Node"), QStringLiteral("not ranked: errors")}});
        chart.setCurrent({kPoints, 1, QStringLiteral("Bun"), {}}, 10);
        QCOMPARE(penOf(chart, false).style(), Qt::DashLine);
        QCOMPARE(penOf(chart, true).style(), Qt::SolidLine);
        chart.setCurrent({kPoints, 1, QStringLiteral("Bun"), QStringLiteral("not ranked: generator")}, 10);
        QCOMPARE(penOf(chart, true).style(), Qt::DashLine);
        QVERIFY(chart.summary().contains(QStringLiteral("not ranked: generator")));

        LatencyChart latency;
        latency.setCurve(kPoints, 1, 10, QStringLiteral("not ranked: generator"));
        const auto all = latency.chart()->series();
        QCOMPARE(qobject_cast<QAreaSeries*>(all.first())->brush().style(), Qt::BDiagPattern);
        latency.setCurve(kPoints, 1, 10);
        QCOMPARE(qobject_cast<QAreaSeries*>(all.first())->brush().style(), Qt::SolidPattern);
    }

    void theNoiseStripMarksNoisySecondsOnTheTimeAxisOfTheChart()
    {
        RateChart chart;
        chart.resize(600, 200);
        chart.setCurrent({kPoints, 0, QStringLiteral("Node")}, 10);
        NoiseStrip strip(&chart);
        strip.resize(600, strip.sizeHint().height());
        QCOMPARE(strip.summary(), QStringLiteral("Noise: not known"));
        const QImage quiet = strip.grab().toImage();
        strip.setPoints(kPoints);
        QCOMPARE(strip.summary(), QStringLiteral("Noise: 1 of 2 seconds noisy, at most 34 %"));
        QVERIFY(strip.grab().toImage() != quiet);
        const QRectF plot = chart.chart()->plotArea();
        const auto at = [&](double t) { return strip.textAt(static_cast<int>(plot.left() + plot.width() * t / 10)); };
        QVERIFY2(at(0.5).contains(QStringLiteral("2.0 %")) && !at(0.5).contains(QStringLiteral("noisy")),
                 qPrintable(at(0.5)));
        QVERIFY2(at(1.5).contains(QStringLiteral("34 %")) && at(1.5).contains(QStringLiteral("noisy")),
                 qPrintable(at(1.5)));
        QVERIFY(at(5).isEmpty());
    }

    void rowsThatAreNotRankedAreHatched()
    {
        LivePage page(new QWidget);
        page.expect(planOf(false));
        Trial trial = test::madeTrial("bun", 1, 100);
        trial.bottleneck = Bottleneck{Limit::generator, "a worker used a whole core", false};
        page.handle(TrialFinished{1, trial});
        const TargetDelegate delegate;
        const auto marksIn = [&](int row) {
            QImage image(80, 28, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.palette = QPalette(Qt::white);
            delegate.paint(&painter, option, page.comparison().index(row, ComparisonModel::StartUp));
            painter.end();
            int marks = 0;
            for (int y = 0; y < 4; ++y) // above the text
                for (int x = 0; x < image.width(); ++x)
                    marks += image.pixelColor(x, y) == QColor(Qt::white) ? 0 : 1;
            return marks;
        };
        QCOMPARE(marksIn(0), 0);
        QVERIFY(marksIn(1) > 20);
    }
};

QTEST_MAIN(TestDoubtsShown)
#include "tst_doubts_shown.moc"
