#include "tests/core/result/import/read_runs.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <vector>

using namespace lapbench;
using namespace lapbench::test;

namespace {

using Figures = std::map<std::string, double>;

Figures figuresOf(const ImportedRun& run)
{
    Figures figures;
    const auto add = [&](const char* name, const auto& value) {
        if (value)
            figures[name] = static_cast<double>(*value);
    };
    add("completed", run.completed);
    add("failed", run.failed);
    add("unfinished", run.unfinished);
    add("time", run.durationSeconds);
    add("rate", run.rps);
    add("min", run.latency.minUs);
    add("mean", run.latency.meanUs);
    add("stdev", run.latency.stdevUs);
    add("max", run.latency.maxUs);
    add("received", run.bytesReceived);
    add("body", run.bodyReceived);
    add("sent", run.bytesSent);
    for (const auto& [key, us] : run.latency.percentilesUs)
        figures[key] = us;
    return figures;
}

std::vector<Figures> figuresIn(const std::string& bytes)
{
    std::vector<Figures> all;
    for (const ImportedRun& run : runsIn(bytes))
        all.push_back(figuresOf(run));
    return all;
}

std::string told(const Figures& figures)
{
    std::string text;
    for (const auto& [name, value] : figures)
        text += name + "=" + std::to_string(value) + " ";
    return text;
}

} // namespace

/// No figure is made of a number, or of a list, that was cut off.
class TestCutFiles : public QObject {
    Q_OBJECT

private slots:
    void aCutReportTellsTheFiguresOfTheWholeOrNone_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"wrk/latency.txt",      "wrk/not_found.txt",     "wrk/plain.txt",      "wrk/three.md",
              "wrk2/late.txt",        "wrk2/short.md",         "ab/keepalive.txt",   "ab/no_deviation.txt",
              "ab/not_found.txt",     "ab/post.txt",           "h2load/columns.txt", "h2load/duration.txt",
              "h2load/not_found.txt", "h2load/refused.txt",    "hey/not_found.txt",  "hey/refused.txt",
              "hey/report.txt",       "bombardier/several.md", "oha/several.md",     "vegeta/report.txt"})
            QTest::newRow(file) << file;
    }
    void aCutReportTellsTheFiguresOfTheWholeOrNone()
    {
        QFETCH(QString, file);
        const std::string bytes = importData(file.toStdString());
        const auto whole = figuresIn(bytes);
        QVERIFY(!whole.empty());
        for (std::size_t length = 1; length < bytes.size(); ++length) {
            const ImportedRuns runs = runsIn(bytes.substr(0, length));
            QVERIFY2(runs.size() <= whole.size(), bytes.substr(0, length).c_str());
            if (runs.empty())
                continue;
            const Figures& right = whole.at(runs.size() - 1);
            for (const auto& [name, value] : figuresOf(runs.back())) {
                const auto same = right.find(name);
                const auto& doubts = runs.back().doubts;
                const bool isComputed =
                    name == "rate" && std::any_of(doubts.begin(), doubts.end(), [](const std::string& doubt) {
                        return doubt.find("they are computed") != std::string::npos;
                    });
                const bool isRight = isComputed || (same != right.end() && value == same->second);
                QVERIFY2(isRight,
                         (name + " is " + std::to_string(value) + " behind ..." +
                          bytes.substr(length - std::min<std::size_t>(length, 60), std::min<std::size_t>(length, 60)))
                             .c_str());
            }
        }
    }

    void aCutRowIsReadWholeOrNotAtAll_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file : {"ab/shares.csv", "ab/rows.tsv", "h2load/log.tsv", "hey/rows.csv", "oha/requests.csv",
                                 "vegeta/requests.csv", "jmeter/default.jtl", "jmeter/transactions.csv", "k6/rows.csv"})
            QTest::newRow(file) << file;
    }
    void aCutRowIsReadWholeOrNotAtAll()
    {
        QFETCH(QString, file);
        std::string bytes = importData(file.toStdString());
        constexpr std::size_t kEnough = 3000;
        bytes.resize(std::min(bytes.size(), bytes.find('\n', std::min(bytes.size() - 1, kEnough)) + 1));
        QVERIFY(bytes.ends_with('\n'));
        for (std::size_t begin = 0; begin < bytes.size();) {
            const std::size_t end = bytes.find('\n', begin) + 1;
            const auto before = figuresIn(bytes.substr(0, begin)), behind = figuresIn(bytes.substr(0, end));
            for (std::size_t length = begin + 1; length < end; ++length) {
                const auto cut = figuresIn(bytes.substr(0, length));
                const bool isRight = cut == before || cut == behind || cut.empty();
                QVERIFY2(isRight, ("..." + bytes.substr(begin, length - begin) + ": " +
                                   (cut.empty() ? std::string() : told(cut.front())))
                                      .c_str());
            }
            begin = end;
        }
    }
};

QTEST_APPLESS_MAIN(TestCutFiles)
#include "tst_cut_files.moc"
