#pragma once

#include "core/net/http_get.h"
#include "tests/core/server/marked_processes.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

/// The real lapbench-cli as a child, with a home of its own and a mark that its descendants carry.
namespace lapbench::test {

inline constexpr int kLongestRunMs = 60'000;

inline const char* const kTwo = R"({"name": "a", "builtin": true}, {"name": "b", "builtin": true})";
inline const char* const kLong = R"("measure": {"duration": "700ms"}, "noisy_repeats": 0, "rounds": 40)";

/// A plan on the built-in server; `targets` and `more` are JSON.
inline QByteArray planOf(const QByteArray& targets, const QByteArray& more)
{
    return R"({"schema": "lapbench-plan", "schema_version": 1, "name": "p", "targets": [)" + targets +
           R"(], "load": {"connections": [4]}, )" + more + "}";
}

struct CliEnd {
    int code = -1; ///< exit code; -1 where it did not end by itself in time
    QByteArray out, err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// A folder for one test: LAPBENCH_HOME, plans and results.
class CliPlace {
public:
    QString path(const QString& name) const { return m_dir.filePath(name); }
    QString home() const { return path("home"); }
    const ProcessMark& mark() const { return m_mark; }

    QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return file.fileName();
    }
    static QByteArray read(const QString& name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void prepare(QProcess& process) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const auto [name, value] = m_mark.variable();
        environment.insert(QString::fromStdString(name), QString::fromStdString(value));
        environment.insert("LAPBENCH_HOME", home());
        environment.insert("LAPBENCH_RESOURCES", LAPBENCH_SOURCE_DIR "/resources");
        process.setProcessEnvironment(environment);
        process.setProgram(LAPBENCH_CLI);
    }

    CliEnd run(const QStringList& arguments) const
    {
        QProcess process;
        prepare(process);
        process.setArguments(arguments);
        process.setStandardInputFile(QProcess::nullDevice());
        process.start();
        return finish(process);
    }

    static CliEnd finish(QProcess& process)
    {
        CliEnd end;
        if (!process.waitForFinished(kLongestRunMs))
            process.kill();
        else if (process.exitStatus() == QProcess::NormalExit)
            end.code = process.exitCode();
        process.waitForFinished(kLongestRunMs);
        end.out = process.readAllStandardOutput();
        end.err = process.readAllStandardError();
        return end;
    }

private:
    QTemporaryDir m_dir;
    ProcessMark m_mark;
};

/// `lapbench-cli serve` on a free port until it is destroyed.
class ServeProcess {
public:
    explicit ServeProcess(const CliPlace& place)
    {
        place.prepare(m_process);
        m_process.setArguments({"serve", "--port", "0"});
        m_process.start();
        while (!m_process.canReadLine() && m_process.waitForReadyRead(10'000)) {
        }
        m_url = QString::fromLatin1(m_process.readLine()).trimmed().section(' ', -1);
    }
    ~ServeProcess()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(10'000))
            m_process.kill();
        m_process.waitForFinished(10'000);
    }

    QString url(const QString& path) const { return m_url + path; }
    qint64 pid() const { return m_process.processId(); }
    /// Requests it has answered, by its own count.
    qint64 answered() const
    {
        const auto reply = httpGet({url("/count").toStdString()});
        return reply ? QByteArray::fromStdString(reply.value().body).toLongLong() : -1;
    }

private:
    QProcess m_process;
    QString m_url;
};

} // namespace lapbench::test
