#include "core/base/processors.h"

#include <QTest>

#include <cstdio>
#include <thread>

using namespace lapbench;

class TestProcessors : public QObject {
    Q_OBJECT

private slots:
    void listsAreWrittenAsTheKernelWritesThem()
    {
        QCOMPARE(formatProcessors({}), std::string());
        QCOMPARE(formatProcessors({0}), std::string("0"));
        QCOMPARE(formatProcessors({0, 1, 2, 3, 8}), std::string("0-3,8"));
        QCOMPARE(formatProcessors({8, 3, 2, 3}), std::string("2-3,8"));
        QCOMPARE(*parseProcessors("0-3,8"), (std::vector<unsigned>{0, 1, 2, 3, 8}));
        QCOMPARE(*parseProcessors("5"), std::vector<unsigned>{5});
        for (const char* wrong : {"a", "-1", "1-", "3-1", "1,,2", "2,1", "1-4096", "1;2"})
            QVERIFY2(!parseProcessors(wrong), wrong);
    }

    void theAllowedProcessorsAreThoseOfTaskset()
    {
        FILE* nproc = ::popen("nproc", "r"); // a QProcess forks, after which ThreadSanitizer lets no thread begin
        QVERIFY(nproc != nullptr);
        unsigned told = 0;
        const int read = std::fscanf(nproc, "%u", &told);
        ::pclose(nproc);
        QCOMPARE(read, 1);
        QCOMPARE(static_cast<unsigned>(allowedProcessors().size()), told);
    }

    void aThreadIsKeptToTheProcessorItIsGiven()
    {
        const std::vector<unsigned> before = allowedProcessors();
        std::vector<unsigned> of, ofItsThread;
        std::thread([&] {
            QVERIFY(keepThreadTo({before.back()}));
            of = allowedProcessors();
            std::thread([&] { ofItsThread = allowedProcessors(); }).join();
        }).join();
        QCOMPARE(of, std::vector{before.back()});
        QCOMPARE(ofItsThread, std::vector{before.back()});
        QCOMPARE(allowedProcessors(), before);
    }

    void aProcessorThatIsNotThereIsAProblem_data()
    {
        QTest::addColumn<unsigned>("processor");
        QTest::newRow("more than the machine has") << 1023u;
        QTest::newRow("more than the kernel's calls take") << 1'000'000u;
    }
    void aProcessorThatIsNotThereIsAProblem()
    {
        QFETCH(unsigned, processor);
        const std::vector<unsigned> before = allowedProcessors();
        if (!before.empty() && before.back() == processor)
            QSKIP("this machine has it");
        QVERIFY(checkProcessors({}, "p").ok());
        QVERIFY(checkProcessors(before, "p").ok());
        const auto checked = checkProcessors({before[0], processor}, "affinity.server");
        QVERIFY(!checked.ok());
        QCOMPARE(checked.problem().path, std::string("affinity.server"));
        QVERIFY(checked.problem().message.find("processor " + std::to_string(processor)) == 0);
        QVERIFY(checked.problem().cure.find(formatProcessors(before)) != std::string::npos);
        QCOMPARE(allowedProcessors(), before);
    }

    void tasksetIsNoHindrance()
    {
        const std::vector<unsigned> before = allowedProcessors();
        if (before.size() < 2)
            QSKIP("one processor");
        bool ok = false;
        std::vector<unsigned> afterwards;
        std::thread([&] {
            keepThreadTo({before[0]});
            ok = checkProcessors({before[1]}, "p").ok();
            afterwards = allowedProcessors();
        }).join();
        QVERIFY(ok);
        QCOMPARE(afterwards, std::vector{before[0]});
    }

    void aThreadKeptOffProcessorsComesBack()
    {
        const std::vector<unsigned> before = allowedProcessors();
        {
            const ThreadKeptOff off({before[0]});
            const std::vector<unsigned> left(before.begin() + 1, before.end());
            QCOMPARE(allowedProcessors(), left.empty() ? before : left);
        }
        QCOMPARE(allowedProcessors(), before);
        {
            const ThreadKeptOff offAll(before);
            QCOMPARE(allowedProcessors(), before);
        }
        QCOMPARE(allowedProcessors(), before);
    }
};

QTEST_APPLESS_MAIN(TestProcessors)
#include "tst_processors.moc"
