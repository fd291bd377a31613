#include "ui/bridge/live_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace lapbench {

namespace {
constexpr qsizetype kKeptErrorLines = 20;
} // namespace

LiveSession::LiveSession(QObject* parent) : QObject(parent)
{
    m_escalation.setSingleShot(true);
    connect(&m_escalation, &QTimer::timeout, this, &LiveSession::escalate);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &LiveSession::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, &LiveSession::readErrors);
    connect(&m_process, &QProcess::finished, this, &LiveSession::finish);
    connect(&m_process, &QProcess::errorOccurred, this, &LiveSession::failToStart);
}

LiveSession::~LiveSession()
{
    disconnect(&m_process, nullptr, this, nullptr);
    if (!active())
        return;
    m_process.closeWriteChannel();
    if (m_process.waitForFinished(kPatienceMs))
        return;
    m_process.terminate();
    if (m_process.waitForFinished(kForceMs))
        return;
    m_process.kill();
    m_process.waitForFinished(kForceMs);
}

void LiveSession::start(const QString& program, const QStringList& arguments)
{
    Q_ASSERT(!active());
    m_output = LineBuffer();
    m_errors = LineBuffer(1 << 16);
    m_lastErrors.clear();
    m_end = LiveSessionEnd();
    m_stopping = m_terminated = false;
    m_process.start(
        program, QStringList{QStringLiteral("run")} + arguments +
                     QStringList{QStringLiteral("--progress"), QStringLiteral("jsonl"), QStringLiteral("--control")});
}

void LiveSession::stop()
{
    if (!active() || m_stopping)
        return;
    m_stopping = true;
    send("stop\n");
    m_escalation.start(kPatienceMs);
}

void LiveSession::leave()
{
    if (!active())
        return;
    m_stopping = true;
    m_process.closeWriteChannel();
    if (!m_escalation.isActive())
        m_escalation.start(kPatienceMs);
}

void LiveSession::send(const QByteArray& command)
{
    m_process.write(command);
}

void LiveSession::escalate()
{
    if (!active())
        return;
    // KILL is safe too: the servers stand under a guard that ends them when its pipe to the runner closes.
    if (!m_terminated) {
        m_terminated = true;
        m_process.terminate();
        m_escalation.start(kForceMs);
    } else {
        m_process.kill();
    }
}

void LiveSession::readOutput()
{
    const QByteArrayList lines = m_output.take(m_process.readAllStandardOutput());
    for (const QByteArray& line : lines)
        handleLine(line);
}

void LiveSession::readErrors()
{
    const QByteArrayList lines = m_errors.take(m_process.readAllStandardError());
    for (const QByteArray& line : lines)
        handleErrorLine(line);
}

void LiveSession::handleErrorLine(const QByteArray& line)
{
    const QString text = QString::fromUtf8(line);
    m_lastErrors.append(text);
    if (m_lastErrors.size() > kKeptErrorLines)
        m_lastErrors.removeFirst();
    emit eventRead(LogLine{QStringLiteral("lapbench-cli"), text});
}

void LiveSession::handleLine(const QByteArray& line)
{
    const auto event = parseSessionEvent(line);
    if (!event) {
        emit lineRefused(QString::fromStdString(format(event.problem())));
        return;
    }
    if (const auto* finished = std::get_if<SessionFinished>(&event.value()))
        m_end.result = finished->result;
    if (const auto* failed = std::get_if<SessionFailed>(&event.value()))
        m_end.message = failed->message;
    emit eventRead(event.value());
}

void LiveSession::finish(int exitCode, QProcess::ExitStatus status)
{
    m_escalation.stop();
    readOutput();
    readErrors();
    // A killed runner leaves a torn last line; it is no event and no news.
    if (const QByteArray torn = m_output.rest(); !torn.isEmpty() && status == QProcess::NormalExit)
        handleLine(torn);
    if (const QByteArray rest = m_errors.rest(); !rest.isEmpty())
        handleErrorLine(rest);
    m_end.exitCode = exitCode;
    m_end.crashed = status == QProcess::CrashExit;
    if (m_end.crashed || m_end.message.isEmpty())
        m_end.message = failureText();
    emit ended(m_end);
}

QString LiveSession::failureText() const
{
    if (m_end.crashed)
        return tr("lapbench-cli ended unexpectedly; the finished trials are in the journal beside the result");
    if (m_end.exitCode == 130 || (m_end.exitCode == 0 && !m_end.result.isEmpty()))
        return {};
    if (m_end.exitCode == 0)
        return tr("lapbench-cli ended without a result; look at the server output for what it says");
    return m_lastErrors.isEmpty() ? tr("lapbench-cli ended with exit code %1").arg(m_end.exitCode)
                                  : m_lastErrors.last();
}

void LiveSession::failToStart(QProcess::ProcessError error)
{
    if (error != QProcess::FailedToStart)
        return;
    m_end.started = false;
    m_end.message = tr("%1 could not be started: %2").arg(m_process.program(), m_process.errorString());
    emit ended(m_end);
}

QString findCommandLine()
{
    const QDir here(QCoreApplication::applicationDirPath());
    for (const QString& place : {QStringLiteral("lapbench-cli"), QStringLiteral("../cli/lapbench-cli")}) {
        const QFileInfo file(here.filePath(place));
        if (file.isFile() && file.isExecutable())
            return QDir::cleanPath(file.absoluteFilePath());
    }
    return QStandardPaths::findExecutable(QStringLiteral("lapbench-cli"));
}

} // namespace lapbench
