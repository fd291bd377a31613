#include "core/result/export/html_report.h"
#include "tests/support/made_session.h"
#include "tests/support/other_locale.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace lapbench;
using namespace lapbench::test;

namespace {

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

Charts noCharts()
{
    Charts charts;
    charts.missing = "Charts need the desktop app";
    return charts;
}

std::string pageOf(const SessionResult& result)
{
    return reportAsHtml(result, noCharts(), "p.plan.json");
}

/// The names of all elements, where the page is well-formed but for HTML's lone tags; else what is wrong with it.
QStringList elementsOf(const std::string& page)
{
    QString text = QString::fromStdString(page);
    text.remove("<!DOCTYPE html>");
    text.replace(QRegularExpression("(<meta[^>]*)>"), "\\1/>");
    QXmlStreamReader reader(text);
    QStringList names;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement)
            names.append(reader.name().toString());
    if (reader.hasError())
        qWarning("line %d: %s", int(reader.lineNumber()), qPrintable(reader.errorString()));
    return reader.hasError() ? QStringList() : names;
}

} // namespace

class TestHtmlReport : public QObject {
    Q_OBJECT

private slots:
    void thePageIsWholeAndWellFormed()
    {
        const std::string page = pageOf(madeSession());
        QVERIFY(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        QVERIFY(page.ends_with("</html>\n"));
        QVERIFY(elementsOf(page).contains("table"));
        for (const char* part :
             {"<h1>Users</h1>", "Bun 1.1 serves 2.00 times as many requests as Node.js 22", "<h3>Latency</h3>",
              "<h3>Processor and memory</h3>", "<h3>Every round</h3>", "<h2>Start-up</h2>", "<h2>What ran</h2>",
              "<h3>Machine</h3>", "<h2>How it was measured</h2>", "<h2>What it does not show</h2>",
              "<h2>Provenance</h2>", "0123456789abcdef0123456789abcdef", "<summary>The plan</summary>",
              "lapbench-cli run p.plan.json", "14 November 2023, 22:13 UTC"})
            QVERIFY2(contains(page, part), part);
    }

    void nothingIsFetchedAndNothingIsRun()
    {
        const std::string page = pageOf(madeSession());
        QVERIFY(contains(page, "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
        for (const char* part :
             {"<script", "<link", "<img", "<iframe", "src=", "@import", "url(", "http://", "https://"})
            QVERIFY2(!contains(page, part), part);
    }

    void namesAreTextsWhateverIsInThem()
    {
        SessionResult result = madeSession(3, {64}, kHostile);
        result.warnings = {{"w", "warning", kHostile, ""}};
        result.notes = kHostile;
        result.host.cpuModel = kHostile;
        result.trials[0].load.failed = 1;
        result.trials[0].load.errors = {{ErrorKind::malformed, Phase::readBody, 1, 0.1, kHostile, kHostile}};
        result.trials[1].outcome = Outcome::failed;
        result.trials[1].failure = TrialFailure{"start", kHostile, {kHostile, "\x1b[31m\x01"}};
        FairWork work;
        work.probes.resize(2);
        work.probes[0].target = "node";
        work.probes[1].target = "bun";
        work.findings = {{"c", "error", "user", "user", {"bun"}, kHostile}, {"c", "info", "u", "u", {"bun"}, kHostile}};
        result.fairWork = work;
        const std::string page = pageOf(result);
        const QStringList elements = elementsOf(page);
        QVERIFY(!elements.isEmpty());
        QVERIFY(!elements.contains("script") && !elements.contains("img"));
        QVERIFY(
            contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(2)&gt;"));
        QVERIFY(page.find('\x1b') == std::string::npos && page.find('\x01') == std::string::npos);
        // A name without blanks breaks anywhere rather than run out of the page, which print would cut.
        QVERIFY(QString::fromStdString(page).contains(QRegularExpression("\nbody\\{[^}]*overflow-wrap:break-word")));
    }

    void whoIsNotRankedIsMarkedAndToldWhy()
    {
        SessionResult result = madeSession();
        for (Trial& trial : result.trials)
            trial.bottleneck = Bottleneck{Limit::server, "", true};
        result.trials[1].bottleneck = Bottleneck{Limit::generator, "a thread used 0.97 of a core", false};
        const std::string page = pageOf(result);
        QVERIFY(contains(page, "<tr class=\"struck\"><td>Bun 1.1</td>"));
        QVERIFY(!contains(page, "<tr class=\"struck\"><td>Node.js 22</td>"));
        QVERIFY(contains(page, "limited by the generator"));
    }

    void doubtsStandAtWhatTheyConcern()
    {
        SessionResult result = madeSession(3, {64, 256});
        result.trials[2].warnings = {{"w", "warning", "A doubt.", ""}}; // 256 connections
        const std::string page = pageOf(result);
        const std::size_t second = page.find("<h2>Workload user, 256 connections"), doubt = page.find("A doubt."),
                          next = page.find("<h2>Charts</h2>");
        QVERIFY(second < doubt && doubt < next);
        QCOMPARE(page.find("A doubt.", doubt + 1), std::string::npos);
        QVERIFY(contains(page, "<h3>Requests per second</h3>"));
        QVERIFY(contains(page, "<th>64 connections</th><th>256 connections</th>"));
    }

    void theAnswerStandsAboveEverything()
    {
        const auto leadOf = [](const SessionResult& result) {
            const std::string page = pageOf(result);
            const std::size_t begin = page.find("<ul class=\"lead\">");
            return begin == std::string::npos ? "" : page.substr(begin, page.find("</ul>", begin) - begin);
        };
        QVERIFY(contains(leadOf(madeSession()), "<li>Bun 1.1 serves 2.00 times as many requests as Node.js 22"));
        QVERIFY(contains(leadOf(madeSession(3, {1, 2})), "<li>Workload user, 2 connections: Bun 1.1 serves 2.00"));
        const SessionResult many = madeSession(3, {1, 2, 3, 4, 5, 6, 7});
        QCOMPARE(many.rankings.size(), std::size_t(7));
        QVERIFY(leadOf(many).empty());
        SessionResult fewer = many;
        fewer.rankings.resize(4);
        QVERIFY(contains(leadOf(fewer), "<li>Workload user, 4 connections: Ranking by requests/s: 1. Bun 1.1; 2. "
                                        "Node.js 22.</li>"));
    }

    void chartsAreInlinedInBothColours()
    {
        Charts charts;
        charts.light = {makeChartPicture("rps", "<svg><desc>Bars.</desc><g id=\"a\"/></svg>"),
                        makeChartPicture("p99", "<svg><g id=\"a\"/></svg>")};
        charts.dark = {makeChartPicture("rps", "<svg><g id=\"a\"/></svg>")};
        const std::string page = reportAsHtml(madeSession(), charts, "p.plan.json");
        QVERIFY(contains(page, "<div class=\"light\"><svg><desc>Bars.</desc><g id=\"c0l-a\"/></svg></div>\n"
                               "<div class=\"dark\"><svg><g id=\"c0d-a\"/></svg></div>"));
        QVERIFY(contains(page, "<figcaption>Bars.</figcaption>"));
        QVERIFY(contains(page, "<figure>\n<svg><g id=\"c1l-a\"/></svg>\n</figure>"));
        QVERIFY(contains(pageOf(madeSession()), "Charts need the desktop app."));
    }

    void anotherToolsResultHasOnlyWhatItTells()
    {
        SessionResult result;
        Trial trial;
        trial.target = "site";
        trial.workload = "GET /";
        trial.level.connections = 0;
        trial.load.rps = 1234;
        trial.imported = ImportedTrial{};
        trial.imported->semantics = {"wrk",           "text",           true, true, Correction::none, 10,
                                     BytesKind::wire, {"A known fault"}};
        result.trials = {trial};
        result.cells = makeCells(result.trials);
        const std::string page = pageOf(result);
        QVERIFY(!elementsOf(page).isEmpty());
        QVERIFY(contains(page, "1.23k"));
        QVERIFY(contains(page, "<small>A known fault</small>"));
        QVERIFY(contains(page, "Not known of site: latency percentiles, processor time and memory"));
        QVERIFY(!contains(page, "To repeat it"));
        QVERIFY(!contains(page, "<h3>Latency</h3>"));
    }

    void nothingMeasuredIsAPageToo()
    {
        SessionResult result;
        const std::string page = pageOf(result);
        QVERIFY(!elementsOf(page).isEmpty());
        QVERIFY(contains(page, "Nothing was measured."));
    }

    void numbersHaveAPointWhereTheUserWritesAComma()
    {
        const SessionResult result = madeSession();
        const std::string page = pageOf(result);
        const CommaLocale comma;
        QCOMPARE(pageOf(result), page);
    }
};

QTEST_APPLESS_MAIN(TestHtmlReport)
#include "tst_html_report.moc"
