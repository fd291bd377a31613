#pragma once

#include "core/server/builtin_server.h"
#include "core/session/session.h"
#include "tests/core/session/recorder.h"

#include <QTemporaryDir>

#include <filesystem>
#include <string>
#include <vector>

namespace lapbench::test {

/// A folder in which a test runs sessions on the built-in server.
class SessionRig {
public:
    SessionRig()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        m_places = {folder / "home", std::filesystem::path(LAPBENCH_SOURCE_DIR) / "resources", LAPBENCH_CLI};
        options.result = folder / "r.lapbench.json";
    }

    /// Targets of these names, all of them the built-in server; windows of 200 ms.
    static Plan planOf(const std::vector<std::string>& targets, unsigned rounds)
    {
        Plan plan;
        plan.name = "t";
        plan.sourceJson = R"({"name":"t","targets":[)";
        for (const std::string& name : targets) {
            Target target;
            target.name = name;
            target.builtin = true;
            plan.targets.push_back(target);
            plan.sourceJson += (&name == &targets.front() ? "" : ",") + (R"({"name":")" + name + R"("})");
        }
        plan.sourceJson += "]}";
        plan.load.connections = {4};
        plan.load.threads = 1;
        plan.measure.duration = std::chrono::milliseconds(200);
        plan.rounds = rounds;
        plan.folder = std::filesystem::current_path();
        return plan;
    }

    Result<SessionEnd> run(const Plan& plan) { return runSession(plan, m_places, options, control, recorder); }
    /// Forgets what was told and asked; the files stay.
    Result<SessionEnd> resume(const Plan& plan)
    {
        recorder = Recorder();
        options.resume = true;
        SessionControl fresh;
        return runSession(plan, m_places, options, fresh, recorder);
    }

    SessionOptions options;
    SessionControl control;
    Recorder recorder;

private:
    QTemporaryDir m_folder;
    SessionPlaces m_places;
};

/// A server that is up already, for tests that are not about how servers start.
class UpServer {
public:
    /// Targets of these names, all of them this server; 50 requests each.
    Plan planOf(const std::vector<std::string>& targets, unsigned rounds) const
    {
        Plan plan = SessionRig::planOf(targets, rounds);
        plan.measure = {std::nullopt, 50};
        for (Target& target : plan.targets) {
            target.builtin = false;
            target.url = "http://127.0.0.1:" + std::to_string(m_server->port());
        }
        return plan;
    }

private:
    std::unique_ptr<BuiltinServer> m_server = BuiltinServer::start(0).value();
};

/// How many warnings there are of this code.
inline std::size_t countWarnings(const std::vector<Warning>& warnings, const std::string& code)
{
    return static_cast<std::size_t>(
        std::count_if(warnings.begin(), warnings.end(), [&](const Warning& warning) { return warning.code == code; }));
}

} // namespace lapbench::test
