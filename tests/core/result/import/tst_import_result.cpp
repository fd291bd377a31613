#include "core/result/import/import_result.h"
#include "core/result/result_json.h"
#include "tests/core/result/import/read_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <utility>
#include <vector>

using namespace lapbench;
using namespace lapbench::test;

namespace {

namespace fs = std::filesystem;

const char* const kWrk = "Running 1s test @ http://192.0.2.7:8080/users\n"
                         "  1 threads and 4 connections\n"
                         "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
                         "    Latency     2.00ms    1.00ms   9.00ms   90.00%\n"
                         "    Req/Sec     1.00k     0.00     1.00k   100.00%\n"
                         "  1000 requests in 1.00s, 1.00MB read\n"
                         "Requests/sec:   1000.00\n"
                         "Transfer/sec:      1.00MB\n";

std::string k6(const std::string& count)
{
    return R"({"metrics":{"http_reqs":{"count":)" + count + R"(,"rate":10},"http_req_duration":{"avg":1},)" +
           R"("data_received":{"count":1,"rate":1}}})" + "\n";
}

using Names = std::vector<std::pair<std::string, unsigned>>;

Names namesOf(const Result<SessionResult>& result)
{
    Names names;
    if (result)
        for (const Trial& trial : result.value().trials)
            names.emplace_back(trial.target, trial.round);
    return names;
}

} // namespace

class TestImportResult : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    fs::path write(const std::string& name, const std::string& bytes) const
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

private slots:
    void runsOfOneFileAreRounds()
    {
        const auto result = importFiles({write("node.txt", std::string(kWrk) + "\n" + kWrk)});
        QCOMPARE(namesOf(result), (Names{{"node", 1}, {"node", 2}}));
    }

    void filesOfOneNameAreTargetsOfTheirOwn()
    {
        const std::vector<fs::path> files = {write("a/wrk.txt", kWrk), write("b/wrk.txt", kWrk),
                                             write("c/wrk.txt", kWrk)};
        QCOMPARE(namesOf(importFiles(files)), (Names{{"wrk", 1}, {"wrk (2)", 1}, {"wrk (3)", 1}}));
        QCOMPARE(namesOf(importFiles(files, {.tool = {}, .target = "node", .workload = {}})),
                 (Names{{"node", 1}, {"node", 2}, {"node", 3}}));
    }

    void headingsOfSeveralFilesKeepTheirFilesApart()
    {
        const std::string text = std::string("# Node\n") + kWrk + "# Bun\n" + kWrk;
        QCOMPARE(namesOf(importFiles({write("may.md", text), write("june.md", text)})),
                 (Names{{"Node", 1}, {"Bun", 1}, {"Node (june)", 1}, {"Bun (june)", 1}}));
    }

    void aFileNamedTwiceIsNoSecondRound()
    {
        const fs::path file = write("node.txt", kWrk);
        const auto result =
            importFiles({file, file.parent_path() / "." / "node.txt"}, {.tool = {}, .target = "node", .workload = {}});
        QVERIFY(!result);
        QVERIFY(format(result.problem()).find("is named twice") != std::string::npos);
    }

    void jsonInATextIsCalledByItsHeading()
    {
        const std::string text = "# Results\n\n## Node\n```json\n" + k6("100") + "```\n## Bun\n```json\n" + k6("200") +
                                 "```\n```json\n" + k6("300") + "```\n";
        QCOMPARE(namesOf(importFiles({write("k6.md", text)})), (Names{{"Node", 1}, {"Bun", 1}, {"Bun", 2}}));
        // The name that a document gives itself counts.
        const std::string named =
            R"({"DurationHistogram":{"Count":1},"ActualQPS":1,"ActualDuration":1,"Labels":"mine","URL":"http://x/"})";
        QCOMPARE(namesOf(importFiles({write("fortio.md", "# Results\n" + named + "\n")})), (Names{{"mine", 1}}));
    }

    void aLargeTextThatNamesNoResultIsNotParsedAsOne()
    {
        constexpr std::size_t kLarge = std::size_t{2} << 20;
        std::string text = "[";
        while (text.size() < kLarge)
            text += "1,";
        // It is no JSON, which only who parses it can know.
        QCOMPARE(parseResult(text).problem().path, std::string("schema"));
        QVERIFY(parseResult(text.substr(0, 1000)).problem().path != "schema");
        QVERIFY(!readAnyResult(write("large.json", text)));
    }
};

QTEST_APPLESS_MAIN(TestImportResult)
#include "tst_import_result.moc"
