#include "core/server/process_tree.h"
#include "core/server/subprocess.h"
#include "core/session/examine_others.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace lapbench;

class TestExamineOthers : public QObject {
    Q_OBJECT

private slots:
    void othersAreNoisyFromATenthOfTheMachine()
    {
        QCOMPARE(judgeOthers({}, 4).severity, std::string("ok"));
        const DoctorFinding little = judgeOthers({{7, "cron", 0.2}, {9, "make", 0.19}}, 4);
        QCOMPARE(little.severity, std::string("ok"));
        QCOMPARE(little.text,
                 std::string("other programs use 0.390 of 4 processors right now: cron (7) 0.200, make (9) "
                             "0.190"));
        const DoctorFinding much = judgeOthers({{7, "cron", 0.2}, {9, "make", 0.2}}, 4);
        QCOMPARE(much.severity, std::string("warning"));
        QVERIFY(!much.cure.empty());
    }

    void thisProcessAndItsChildrenAreNoOthers()
    {
        const auto child = startProgram({{"sh", "-c", "while :; do :; done"}, {}, {}, -1, {}, false});
        QVERIFY(child.ok());
        const DoctorFinding finding = examineOthers();
        endChildTree(child.value());
        QCOMPARE(finding.code, std::string("others"));
        const std::string pids[] = {"(" + std::to_string(child.value()) + ")", "(" + std::to_string(::getpid()) + ")"};
        for (const std::string& pid : pids)
            QVERIFY2(finding.text.find(pid) == std::string::npos, finding.text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestExamineOthers)
#include "tst_examine_others.moc"
