#include "core/base/repeater.h"

#include <QTest>

#include <atomic>

using namespace lapbench;
using namespace std::chrono_literals;

class TestRepeater : public QObject {
    Q_OBJECT

private slots:
    void itCallsOneIntervalApartAndNoMoreOnceItIsGone()
    {
        std::atomic<int> calls{0};
        const std::int64_t begin = steadyNs();
        {
            const Repeater repeater(5ms, [&calls] { ++calls; });
            while (calls < 4 && steadyNs() - begin < Nanoseconds(20s).count())
                std::this_thread::yield();
            QVERIFY(steadyNs() - begin >= Nanoseconds(20ms).count());
        }
        const int after = calls;
        QVERIFY(after >= 4);
        QCOMPARE(calls.load(), after);
    }

    void itsEndDoesNotWaitForTheInterval()
    {
        const std::int64_t begin = steadyNs();
        {
            const Repeater repeater(1h, [] {});
        }
        QVERIFY(steadyNs() - begin < Nanoseconds(1min).count());
    }
};

QTEST_APPLESS_MAIN(TestRepeater)
#include "tst_repeater.moc"
