#pragma once

#include "ui/bridge/line_buffer.h"
#include "ui/bridge/session_event.h"

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

namespace lapbench {

/// How a session ended, as far as the window needs to know.
struct LiveSessionEnd {
    bool started = true;  ///< false: the program could not be started at all
    int exitCode = 0;     ///< of lapbench-cli: 0 done, 130 interrupted and saved, others failed
    bool crashed = false; ///< ended by a signal
    QString result;       ///< where the result was saved; empty where none was
    QString message;      ///< why it failed; empty where it did not
};

/// One `lapbench-cli run` as a child of the window: its lines become events, its standard input carries what the user
/// asks for. Owned by the main window; GUI thread. The child notices when its pipe closes, so nothing is left over
/// however the window ends.
class LiveSession : public QObject {
    Q_OBJECT

public:
    explicit LiveSession(QObject* parent = nullptr);
    /// Leaves a running session and waits for its end, at most kPatience + 2 x kForce.
    ~LiveSession() override;

    /// Starts `program run arguments --progress jsonl --control`; only while not active().
    void start(const QString& program, const QStringList& arguments);
    /// Asks for the end of the session: the trial is ended, what was measured is saved. Escalates where that hangs.
    void stop();
    /// Closes the pipe, as if the window were gone; the same end as stop().
    void leave();

    bool active() const { return m_process.state() != QProcess::NotRunning; }
    bool stopping() const { return m_stopping; }

    /// How long stop() and leave() wait before TERM, and then before KILL.
    static constexpr int kPatienceMs = 20'000;
    static constexpr int kForceMs = 5'000;

signals:
    void eventRead(const lapbench::SessionEvent& event);
    /// A line that could not be read; the session goes on.
    void lineRefused(const QString& message);
    void ended(const lapbench::LiveSessionEnd& end);

private:
    void readOutput();
    void readErrors();
    void handleLine(const QByteArray& line);
    void handleErrorLine(const QByteArray& line);
    void finish(int exitCode, QProcess::ExitStatus status);
    void failToStart(QProcess::ProcessError error);
    QString failureText() const;
    void send(const QByteArray& command);
    void escalate();

    QProcess m_process;
    QTimer m_escalation;
    LineBuffer m_output, m_errors{1 << 16};
    QStringList m_lastErrors;
    LiveSessionEnd m_end;
    bool m_stopping = false, m_terminated = false;
};

/// lapbench-cli beside the program, in the build tree's ../cli, or on PATH; empty where none is.
QString findCommandLine();

} // namespace lapbench

Q_DECLARE_METATYPE(lapbench::LiveSessionEnd)
