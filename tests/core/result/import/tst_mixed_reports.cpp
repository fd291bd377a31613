#include "tests/core/result/import/read_runs.h"

#include <QDirIterator>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace lapbench;
using namespace lapbench::test;

namespace {

std::string shown(std::optional<double> value)
{
    return value ? std::to_string(*value) : "-";
}

/// The figures of the runs in a text, a line a run, in no order.
std::vector<std::string> figuresIn(const std::string& text)
{
    std::vector<std::string> lines;
    for (const ImportedRun& run : runsIn(text)) {
        std::string line = run.semantics.tool + " " + std::to_string(run.completed.value_or(0)) + " failed " +
                           std::to_string(run.failed.value_or(0)) + " s " + shown(run.durationSeconds) + " rps " +
                           shown(run.rps) + " min " + shown(run.latency.minUs) + " mean " + shown(run.latency.meanUs) +
                           " stdev " + shown(run.latency.stdevUs) + " max " + shown(run.latency.maxUs) + " bytes " +
                           std::to_string(run.bytesReceived.value_or(0));
        for (const auto& [key, us] : run.latency.percentilesUs)
            line += " " + key + " " + std::to_string(us);
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

} // namespace

/// Reports of several tools in one text, with nothing between them.
class TestMixedReports : public QObject {
    Q_OBJECT

private slots:
    void twoReportsInOneTextHaveTheFiguresOfEachAlone()
    {
        std::vector<std::string> texts, names;
        for (QDirIterator found(LAPBENCH_TEST_DATA "/import", {"*.txt", "*.md"}, QDir::Files,
                                QDirIterator::Subdirectories);
             found.hasNext();) {
            const QString path = found.next();
            const std::string name = path.mid(QString(LAPBENCH_TEST_DATA "/import/").size()).toStdString();
            if (figuresIn(importData(name)).empty())
                continue; // those that are to be refused
            names.push_back(name);
            texts.push_back(importData(name));
        }
        QVERIFY(texts.size() > 10);
        for (std::size_t a = 0; a < texts.size(); ++a)
            for (std::size_t b = 0; b < texts.size(); ++b) {
                std::vector<std::string> expected = figuresIn(texts[a]);
                for (std::string& line : figuresIn(texts[b]))
                    expected.push_back(std::move(line));
                std::sort(expected.begin(), expected.end());
                const std::vector<std::string> found = figuresIn(texts[a] + "\n" + texts[b]);
                std::string differing;
                for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
                    const std::string wanted = i < expected.size() ? expected[i] : "";
                    const std::string got = i < found.size() ? found[i] : "";
                    if (wanted != got && differing.empty())
                        differing = "\n  alone:    " + wanted + "\n  together: " + got;
                }
                QVERIFY2(differing.empty(), (names[a] + " and " + names[b] + differing).c_str());
            }
    }
};

QTEST_GUILESS_MAIN(TestMixedReports)
#include "tst_mixed_reports.moc"
