#include "core/plan/plan_check.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lapbench;
namespace fs = std::filesystem;

namespace {

Plan planOf(Target target)
{
    Plan plan;
    plan.name = "p";
    plan.runtimes = {{"node22", RuntimeKind::node, "22.9.0", ""}};
    plan.targets = {std::move(target)};
    return plan;
}

Target urlTarget(const std::string& name = "a", const std::string& url = "http://127.0.0.1:1")
{
    Target target;
    target.name = name;
    target.url = url;
    return target;
}

QString shown(const Problems& problems)
{
    QString text;
    for (const Problem& problem : problems)
        text += QString::fromStdString(format(problem)) + "\n";
    return text;
}

bool has(const Problems& problems, const std::string& path, const std::string& says)
{
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
        return problem.path == path && !problem.cure.empty() && format(problem).find(says) != std::string::npos;
    });
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class TestPlanCheck : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_dir->path()).mkpath("resources/apps") && QDir(m_dir->path()).mkpath("resources/plans"));
        m_resources = (m_dir->path() + "/resources").toStdString();
    }

    void aRightPlanHasNoProblems()
    {
        const Problems problems = checkPlan(planOf(urlTarget()), m_resources);
        QVERIFY2(problems.empty(), qPrintable(shown(problems)));
    }

    void aServerIsGivenInExactlyOneWay()
    {
        Target target;
        target.name = "a";
        QVERIFY(has(checkPlan(planOf(target), m_resources), "targets[0]", "exactly one"));
        target = urlTarget();
        target.builtin = true;
        QVERIFY(has(checkPlan(planOf(target), m_resources), "targets[0]", "more than one"));
    }

    void runtimeAndAppAreLookedUp()
    {
        Target target;
        target.name = "a";
        target.runtime = "node2";
        target.app = "x/app.mjs";
        Plan plan = planOf(target);
        plan.folder = m_dir->path().toStdString();
        Problems problems = checkPlan(plan, m_resources);
        QVERIFY2(has(problems, "targets[0].runtime", "\"node22\""), qPrintable(shown(problems)));
        QVERIFY(has(problems, "targets[0].app", m_dir->path().toStdString()));
        QVERIFY(has(problems, "targets[0].app", (m_resources / "apps").string()));

        plan.targets[0].runtime = "node22";
        QVERIFY(QDir(m_dir->path()).mkpath("resources/apps/x"));
        write(m_dir->path() + "/resources/apps/x/app.mjs", "1");
        QVERIFY(checkPlan(plan, m_resources).empty());
        QCOMPARE(findApp(plan, "x/app.mjs", m_resources).value(), m_resources / "apps/x/app.mjs");
        QVERIFY(QDir(m_dir->path()).mkpath("x"));
        write(m_dir->path() + "/x/app.mjs", "2");
        QCOMPARE(findApp(plan, "x/app.mjs", m_resources).value(), plan.folder / "x/app.mjs");
        QVERIFY(!findApp(plan, "x", m_resources));
    }

    void halfOfRuntimeAndAppIsNamed()
    {
        Target target;
        target.name = "a";
        target.runtime = "node22";
        QVERIFY(has(checkPlan(planOf(target), m_resources), "targets[0].app", "missing"));
        target.runtime.clear();
        target.app = "x.mjs";
        QVERIFY(has(checkPlan(planOf(target), m_resources), "targets[0].runtime", "missing"));
    }

    void runtimesAreChecked()
    {
        Plan plan = planOf(urlTarget());
        plan.runtimes = {{"n", RuntimeKind::node, "22", ""},
                         {"m", RuntimeKind::node, "", "/bin/x"},
                         {"p", RuntimeKind::program, "", ""},
                         {"q", RuntimeKind::program, "", "lapbench-no-such-program"}};
        const Problems problems = checkPlan(plan, m_resources);
        QVERIFY(has(problems, "runtimes.n.version", "22.9.0"));
        QVERIFY(has(problems, "runtimes.m.command", "program only"));
        QVERIFY(has(problems, "runtimes.p.command", "missing"));
        QVERIFY(has(problems, "runtimes.q.command", "not found"));
    }

    void commandsAreLookedUp()
    {
        Target target;
        target.name = "a";
        target.command = {"sh", "-c", "true"};
        QVERIFY(checkPlan(planOf(target), m_resources).empty());
        target.command = {"./server"};
        Plan plan = planOf(target);
        plan.folder = m_dir->path().toStdString();
        QVERIFY(has(checkPlan(plan, m_resources), "targets[0].command", m_dir->path().toStdString()));
        write(m_dir->path() + "/server", "#!/bin/sh\n");
        QFile::setPermissions(m_dir->path() + "/server", QFile::ReadOwner | QFile::ExeOwner);
        QVERIFY(checkPlan(plan, m_resources).empty());
    }

    void namesAndUrlsAndEnvironmentAreChecked()
    {
        Plan plan = planOf(urlTarget("a", "http://:80"));
        plan.targets.push_back(urlTarget("a", "https://h"));
        plan.targets.push_back(urlTarget("b,c", "http://h/users"));
        plan.targets[0].env = {{"PORT", "1"}, {"A=B", "1"}};
        plan.targets[1].readyPath = "users";
        plan.name = "../x";
        const Problems problems = checkPlan(plan, m_resources);
        QVERIFY(has(problems, "name", "letters"));
        QVERIFY(has(problems, "targets[0].url", "no host"));
        QVERIFY(has(problems, "targets[0].env.PORT", "set by Lapbench"));
        QVERIFY(has(problems, "targets[0].env.A=B", "variable"));
        QVERIFY(has(problems, "targets[1].name", "twice"));
        QVERIFY(has(problems, "targets[1].ready_path", "/"));
        QVERIFY(has(problems, "targets[2].name", "comma"));
        QVERIFY(has(problems, "targets[2].url", "workloads"));
        QCOMPARE(problems.size(), std::size_t(8));
    }

    void theVersionOfHttpGoesWithTheSchemeOfEachTarget()
    {
        Plan plan = planOf(urlTarget("a", "http://h"));
        plan.targets.push_back(urlTarget("b", "https://h"));
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.load.http = HttpVersion::http2;
        QVERIFY(has(checkPlan(plan, m_resources), "targets[0]", "https URL"));
        QCOMPARE(checkPlan(plan, m_resources).size(), std::size_t(1));
        plan.load.http = HttpVersion::http2Knowledge;
        QVERIFY(has(checkPlan(plan, m_resources), "targets[1]", "ask for http 2"));
        QCOMPARE(checkPlan(plan, m_resources).size(), std::size_t(1));
    }

    void windowsLevelsAndSelectionAreChecked()
    {
        Plan plan = planOf(urlTarget());
        plan.measure = {};
        plan.warmup = {std::chrono::seconds(1), 5};
        plan.load.connections = {64, 64};
        plan.load.rates = {100, 200, 100};
        plan.targets[0].selected = false;
        Problems problems = checkPlan(plan, m_resources);
        QVERIFY(has(problems, "measure", "exactly one"));
        QVERIFY(has(problems, "warmup", "both"));
        QVERIFY(has(problems, "load.connections[1]", "twice"));
        QVERIFY(has(problems, "load.rate[2]", "100 stands twice"));
        QVERIFY(has(problems, "targets", "selected"));
        plan.measure = {std::chrono::seconds(1), 5};
        QVERIFY(has(checkPlan(plan, m_resources), "measure", "exactly one"));
        plan.targets.clear();
        QVERIFY(has(checkPlan(plan, m_resources), "targets", "no target"));
    }

    void untilCiNeedsRoundsAndSomethingToCompare()
    {
        Plan plan = planOf(urlTarget());
        plan.untilCi = 0.02;
        QVERIFY(has(checkPlan(plan, m_resources), "until_ci", "nothing to compare"));
        plan.aaControl = true;
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.aaControl = false;
        plan.targets.push_back(urlTarget("b"));
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.targets[1].selected = false;
        QVERIFY(has(checkPlan(plan, m_resources), "until_ci", "nothing to compare"));
        plan.targets[1].selected = true;
        plan.rounds = 5;
        QVERIFY(has(checkPlan(plan, m_resources), "rounds", "5 is fewer than the 6"));
        plan.rounds = 6;
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.untilCi.reset();
        plan.rounds = 1;
        QVERIFY(checkPlan(plan, m_resources).empty());
    }

    void theControlHasANameOfItsOwn()
    {
        Plan plan = planOf(urlTarget());
        plan.targets.push_back(urlTarget("a-again"));
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.aaControl = true;
        QVERIFY(has(checkPlan(plan, m_resources), "targets[0].name", "\"a-again\" is the name that aa_control gives"));
    }

    void aGoalExcludesOtherRatesAndCounts()
    {
        Plan plan = planOf(urlTarget());
        plan.load.find.emplace();
        QVERIFY(has(checkPlan(plan, m_resources), "load.find", "at least one"));
        plan.load.find->p99 = std::chrono::milliseconds(10);
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.load.find->from = 200;
        plan.load.find->to = 100;
        QVERIFY(has(checkPlan(plan, m_resources), "load.find.from", "200 is above to, which is 100"));
        plan.load.find->to = 200;
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.load.rates = {100};
        QVERIFY(has(checkPlan(plan, m_resources), "load.find", "does not go together with rate, ramp or steps"));
        plan.load.rates.clear();
        plan.measure = {std::nullopt, 1000};
        QVERIFY(has(checkPlan(plan, m_resources), "measure.requests", "duration"));
    }

    void processorsAreGivenOnce()
    {
        Plan plan = planOf(urlTarget());
        plan.affinity = {{0, 1}, {1, 2}}; // shared ones are allowed
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.affinity = {{0, 0}, {2, 1, 2}};
        const Problems problems = checkPlan(plan, m_resources);
        QVERIFY(has(problems, "affinity.server[1]", "0 stands twice"));
        QVERIFY(has(problems, "affinity.generator[2]", "give each processor once"));
    }

    void whatMayDifferIsTheBodyOrAField()
    {
        Plan plan = planOf(urlTarget());
        plan.fairWork.ignore = {"body", "/a/0", "/~0~1"};
        QVERIFY(checkPlan(plan, m_resources).empty());
        plan.fairWork.ignore = {"body", "generated_at", "", "/~2"};
        const Problems problems = checkPlan(plan, m_resources);
        QVERIFY(has(problems, "fair_work.ignore[1]", "/generated_at"));
        QVERIFY2(problems.size() == 3, qPrintable(shown(problems)));
    }

    void workloadsCannotBreakTheRequest()
    {
        Workload workload;
        workload.method = "GET /x";
        workload.path = "/a b";
        workload.headers = {{"A b", "c"}, {"X", "a\r\nY: z"}, {"Content-Length", "3"}};
        const Problems problems = checkWorkload(workload, "workloads[0]");
        QVERIFY(has(problems, "workloads[0].method", "HTTP method"));
        QVERIFY(has(problems, "workloads[0].path", "percent"));
        QVERIFY(has(problems, "workloads[0].headers", "A b"));
        QVERIFY(has(problems, "workloads[0].headers", "line break"));
        QVERIFY(has(problems, "workloads[0].headers", "set by Lapbench"));
        QVERIFY(checkWorkload(Workload{}, "").empty());
    }

    void placeholdersMayStandInPaths()
    {
        Workload workload;
        for (const char* path : {"/users/{{random_int 1 9}}?q={{choice \"a b\" c}}", "{{csv paths.csv path}}"}) {
            workload.path = path;
            QVERIFY2(checkWorkload(workload, "").empty(), path);
        }
        for (const char* path : {"/a b/{{uuid}}", "users/{{uuid}}", "/{{uuid}}#x", ""}) {
            workload.path = path;
            QVERIFY2(has(checkWorkload(workload, ""), "path", "percent"), path);
        }
    }

    void aBodyIsATextOrAFile()
    {
        Workload workload;
        workload.body = "{}";
        workload.bodyFile = "body.json";
        QVERIFY(has(checkWorkload(workload, "w"), "w.body_file", "does not go together with body"));
    }

    void expectationsMustBePossible()
    {
        Workload workload;
        workload.expectJson = {{"", "1"}, {"/a~0~1", "1"}};
        QVERIFY(checkWorkload(workload, "").empty());
        for (const char* pointer : {"user.id", "/a~2", "/a~"}) {
            workload.expectJson = {{pointer, "1"}};
            QVERIFY2(has(checkWorkload(workload, ""), "expect_json", "is no JSON pointer"), pointer);
        }
        workload.expectJson = {{"/a", "1"}};
        workload.method = "HEAD";
        QVERIFY(has(checkWorkload(workload, ""), "expect_json", "HEAD"));
    }

    void aMixIsNoLongerThanCanBeShuffledBetweenTwoRequests()
    {
        Workload workload;
        workload.requests.resize(12);
        for (std::size_t i = 0; i < 12; ++i) {
            workload.requests[i].name = std::to_string(i);
            workload.requests[i].weight = 1000;
        }
        QVERIFY(checkWorkload(workload, "").empty()); // twelve times one
        workload.requests[0].weight = 999;
        QVERIFY(has(checkWorkload(workload, ""), "requests", "the weights add up to 11999"));
        workload.requests.resize(10);
        QVERIFY(checkWorkload(workload, "").empty());
    }

    void aMixSpeaksForItself()
    {
        Workload workload;
        workload.requests.resize(3);
        workload.requests[0].name = workload.requests[1].name = "read";
        workload.requests[2].name = "";
        workload.requests[2].path = "x";
        workload.method = "POST";
        const Problems problems = checkWorkload(workload, "workloads[1]");
        QVERIFY(has(problems, "workloads[1].method", "does not go together with requests"));
        QVERIFY(has(problems, "workloads[1].requests[1].name", "stands twice"));
        QVERIFY(has(problems, "workloads[1].requests[2].name", "is empty"));
        QVERIFY(has(problems, "workloads[1].requests[2].path", "is no path"));
        QVERIFY2(problems.size() == 4, qPrintable(shown(problems)));
    }

    void aPlanFileIsReadAndCheckedInOne()
    {
        const QString path = m_dir->path() + "/a.plan.json";
        write(path, R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p",
                        "targets": [{"name": "a", "ulr": "http:\/\/h"}, {"name": "b", "url": "http:\/\/"}]})");
        const PlanReading reading = readPlan(path.toStdString(), m_resources);
        QVERIFY(has(reading.problems, "targets[0].ulr", "\"url\""));
        QVERIFY(has(reading.problems, "targets[1].url", "no host"));
        QVERIFY2(reading.problems.size() == 2, qPrintable(shown(reading.problems)));
        QCOMPARE(reading.plan.folder, fs::path(m_dir->path().toStdString()));
        QVERIFY(!readPlan("/no/such/file", m_resources).ok());
    }

    void shippedPlansAreFoundByName()
    {
        write(m_dir->path() + "/resources/plans/zoo.plan.json",
              R"({"schema": "lapbench-plan", "schema_version": 1, "name": "zoo", "title": "Zoo", "targets": []})");
        write(m_dir->path() + "/resources/plans/README", "no plan");
        const auto plans = shippedPlans(m_resources);
        QCOMPARE(plans.size(), std::size_t(1));
        QCOMPARE(plans[0].title, std::string("Zoo"));
        QCOMPARE(findPlan("zoo", m_resources).value(), m_resources / "plans/zoo.plan.json");
        const auto missing = findPlan("zo", m_resources);
        QVERIFY(!missing.ok() && missing.problem().cure == "did you mean \"zoo\"?");
    }

    void thePlansThatComeWithLapbenchAreRight()
    {
        const fs::path resources = fs::path(LAPBENCH_SOURCE_DIR) / "resources";
        const auto plans = shippedPlans(resources);
        QVERIFY(!plans.empty());
        for (const ShippedPlan& plan : plans) {
            const PlanReading reading = readPlan(plan.file, resources);
            QVERIFY2(reading.ok(), qPrintable(shown(reading.problems)));
            QCOMPARE(reading.plan.name, plan.name);
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_resources;
};

QTEST_APPLESS_MAIN(TestPlanCheck)
#include "tst_plan_check.moc"
