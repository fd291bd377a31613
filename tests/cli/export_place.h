#pragma once

#include "core/result/comparisons.h"
#include "core/result/result_json.h"
#include "tests/cli/cli_process.h"
#include "tests/support/made_trials.h"

#include <QDir>

/// What the tests of `export` share.
namespace lapbench::test {

/// Bun serves twice as much as Node in each of three rounds.
inline SessionResult madeResult()
{
    SessionResult result;
    result.id = newResultId();
    result.created = UtcTime{std::chrono::seconds(1700000000)};
    result.tool.version = "0.1.0";
    result.planJson = planOf("{\"name\": \"node\", \"label\": \"Node.js 22\", \"builtin\": true},"
                             "{\"name\": \"bun\", \"label\": \"Bun 1.1\", \"builtin\": true}",
                             "\"rounds\": 3")
                          .toStdString();
    for (unsigned round = 1; round <= 3; ++round)
        for (const char* target : {"node", "bun"}) {
            result.trials.push_back(madeTrial(target, round, (target[0] == 'b' ? 2.0 : 1.0) * (1000 + round)));
            result.trials.back().load.failed = 0;
            result.trials.back().index = result.trials.size() - 1;
        }
    const ComparisonRules rules = comparisonRulesOf(result);
    result.comparisons = makeComparisons(result.trials, rules);
    result.cells = makeCells(result.trials, rules.targets);
    return result;
}

inline QByteArray textOf(const SessionResult& result)
{
    return QByteArray::fromStdString(formatResult(result));
}

/// With a result written as x.lapbench.json, and a lapbench-cli that has no desktop app beside it.
class ExportPlace : public CliPlace {
public:
    ExportPlace() : m_result(write("x.lapbench.json", textOf(madeResult())))
    {
        QDir().mkpath(path("bin"));
        QFile::copy(LAPBENCH_CLI, path("bin/lapbench-cli"));
    }

    const QString& result() const { return m_result; }
    QString folder() const { return path("out"); }
    QString out(const QString& name) const { return folder() + "/" + name; }
    QStringList files() const { return QDir(folder()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

    /// A shell script that stands for the desktop app, found on PATH.
    void putApp(const QByteArray& script) const
    {
        QDir().mkpath(path("apps"));
        QFile file(write("apps/lapbench", "#!/bin/sh\n" + script));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    void prepareHere(QProcess& process, const QStringList& arguments) const
    {
        prepare(process);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("PATH", path("apps") + ":/usr/bin:/bin");
        process.setProcessEnvironment(environment);
        process.setProgram(path("bin/lapbench-cli"));
        process.setWorkingDirectory(QFileInfo(m_result).path());
        process.setArguments(arguments);
        process.setStandardInputFile(QProcess::nullDevice());
    }
    CliEnd runHere(const QStringList& arguments) const
    {
        QProcess process;
        prepareHere(process, arguments);
        process.start();
        return finish(process);
    }
    CliEnd exported(const QString& formats, const QStringList& more = {}) const
    {
        return runHere(QStringList{"export", m_result, "--format", formats, "-o", folder()} + more);
    }

private:
    QString m_result;
};

/// Draws "p99" and "p99_9" as it is asked, after its arguments have gone into a file, and says what else Qt says.
inline const char* const kDrawingApp = R"sh(echo "$@" >> "$LAPBENCH_HOME.asked"
png=no; scale=1
while [ $# -gt 0 ]; do
    case $1 in
        --theme) theme=$2 ;;
        --format) case $2 in *png*) png=yes ;; esac ;;
        -o) folder=$2 ;;
    esac
    shift
done
echo 'QStandardPaths: XDG_RUNTIME_DIR not set'
for name in p99 p99_9; do
    echo "<svg><title>$name</title><desc>The $name in $theme</desc><g id='a'/></svg>" > "$folder/$name-$theme.svg"
    echo "$folder/$name-$theme.svg"
    echo "figures of $name" > "$folder/$name.csv"; echo "$folder/$name.csv"
    if [ $png = yes ]; then echo "PNG of $name" > "$folder/$name@2x.png"; echo "$folder/$name@2x.png"; fi
done
)sh";

} // namespace lapbench::test
