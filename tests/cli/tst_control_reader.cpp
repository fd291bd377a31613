#include "app/cli/control_reader.h"

#include <QTest>

#include <unistd.h>

using namespace lapbench;

class TestControlReader : public QObject {
    Q_OBJECT

private slots:
    void commandsAreObeyed()
    {
        SessionControl control;
        QVERIFY(obey("pause", control) && control.paused());
        QVERIFY(obey("continue\r", control) && !control.paused());
        QVERIFY(obey("skip 7", control) && control.skipped(7) && !control.skipped(6));
        QVERIFY(obey("stop-after-trial", control) && control.stoppingAfterTrial() && !control.stopping());
        QVERIFY(obey("stop", control) && control.stopping());
    }

    void otherLinesAreNot()
    {
        SessionControl control;
        for (const char* line : {"", "STOP", "skip", "skip ", "skip x", "skip 1 2", "skip -1", "stop now"})
            QVERIFY2(!obey(line, control), line);
        QVERIFY(!control.stopping() && !control.paused());
    }

    void linesComeInPieces()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        SessionControl control;
        {
            const ControlReader reader(ends[0], control);
            QCOMPARE(::write(ends[1], "pa", 2), ssize_t(2));
            QCOMPARE(::write(ends[1], "use\nskip 3\nnonsense\n", 20), ssize_t(20));
            QTRY_VERIFY(control.paused() && control.skipped(3));
            QVERIFY(!control.stopping());
        }
        QVERIFY(!control.stopping());
        ::close(ends[0]);
        ::close(ends[1]);
    }

    void theEndOfTheInputStops()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        SessionControl control;
        const ControlReader reader(ends[0], control);
        ::close(ends[1]);
        QTRY_VERIFY(control.stopping());
        ::close(ends[0]);
    }
};

QTEST_GUILESS_MAIN(TestControlReader)
#include "tst_control_reader.moc"
