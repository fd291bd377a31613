#include "core/plan/plan_check.h"

#include "core/plan/nearest.h"
#include "core/plan/rate_course.h"
#include "core/plan/schedule.h"
#include "core/plan/url.h"
#include "core/plan/wire_check.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

bool isExactVersion(std::string_view version)
{
    return !version.empty() && version.front() >= '0' && version.front() <= '9' &&
           std::count(version.begin(), version.end(), '.') >= 2 &&
           std::all_of(version.begin(), version.end(), [](char c) { return isNameCharacter(c) || c == '+'; });
}

bool isOnPath(const std::string& program)
{
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable ? variable : "/usr/bin:/bin";
    while (true) {
        const std::size_t colon = rest.find(':');
        const fs::path folder(rest.substr(0, colon));
        if (::access((folder / program).c_str(), X_OK) == 0)
            return true;
        if (colon == std::string_view::npos)
            return false;
        rest.remove_prefix(colon + 1);
    }
}

class PlanChecker {
public:
    PlanChecker(const Plan& plan, const fs::path& resources) : m_plan(plan), m_resources(resources) {}

    Problems check()
    {
        checkName();
        for (const RuntimeAsk& runtime : m_plan.runtimes)
            checkRuntime(runtime);
        checkTargets();
        checkWorkloads();
        checkExtents();
        checkLevels();
        add(checkLoad(m_plan.load, "load"));
        add(checkRounds(m_plan));
        checkTwice("affinity.server", m_plan.affinity.server, "processor");
        checkTwice("affinity.generator", m_plan.affinity.generator, "processor");
        checkFairWork();
        return std::move(m_problems);
    }

private:
    void problem(std::string path, std::string message, std::string cure)
    {
        m_problems.push_back({std::move(path), std::move(message), std::move(cure)});
    }

    void add(Problems problems)
    {
        for (Problem& found : problems)
            m_problems.push_back(std::move(found));
    }

    void checkName()
    {
        const std::string& name = m_plan.name;
        if (name.empty() || name.size() > 100 || name.front() == '.' ||
            !std::all_of(name.begin(), name.end(), isNameCharacter))
            problem("name", "is no name for a file", "use at most 100 letters, digits, dots, dashes and underscores");
    }

    void checkRuntime(const RuntimeAsk& runtime)
    {
        const std::string path = "runtimes." + runtime.name;
        if (runtime.kind == RuntimeKind::program) {
            if (runtime.command.empty())
                problem(path + ".command", "is missing for kind program", "name the executable");
            else
                checkProgram(path + ".command", runtime.command);
            return;
        }
        if (!runtime.command.empty())
            problem(path + ".command", "goes with kind program only", "leave it out");
        if (!runtime.version.empty() && !isExactVersion(runtime.version))
            problem(path + ".version", "\"" + runtime.version + "\" is no exact version",
                    "write all of it, such as 22.9.0");
    }

    void checkProgram(const std::string& path, const std::string& program)
    {
        const bool there = program.find('/') == std::string::npos
                               ? isOnPath(program)
                               : ::access((m_plan.folder / program).c_str(), X_OK) == 0;
        if (!there)
            problem(path, "the program \"" + program + "\" was not found",
                    program.find('/') == std::string::npos ? "install it or give its path"
                                                           : "paths start at the plan's folder, " + shownFolder());
    }

    std::string shownFolder() const { return m_plan.folder.empty() ? "." : m_plan.folder.string(); }

    void checkTargets()
    {
        if (m_plan.targets.empty())
            problem("targets", "there is no target", "add at least one server under test");
        std::set<std::string> names;
        bool selected = false;
        for (std::size_t i = 0; i < m_plan.targets.size(); ++i) {
            const Target& target = m_plan.targets[i];
            const std::string path = "targets[" + std::to_string(i) + "]";
            if (target.name.empty() || target.name == "all" || target.name.find(',') != std::string::npos)
                problem(path + ".name", "\"" + target.name + "\" is no name for a target",
                        "it may not be empty or \"all\", or hold a comma");
            else if (!names.insert(target.name).second)
                problem(path + ".name", "\"" + target.name + "\" stands twice", "give each target a name of its own");
            selected = selected || target.selected;
            checkTarget(target, path);
        }
        checkControlName(names);
        if (!m_plan.targets.empty() && !selected)
            problem("targets", "none is selected", "select at least one");
    }

    /// Any target may be the first one that is selected.
    void checkControlName(const std::set<std::string>& names)
    {
        if (!m_plan.aaControl)
            return;
        for (std::size_t i = 0; i < m_plan.targets.size(); ++i) {
            const Target& target = m_plan.targets[i];
            if (const std::string name = controlOf(target).name; !target.control && names.contains(name))
                problem("targets[" + std::to_string(i) + "].name",
                        "\"" + name + "\" is the name that aa_control gives \"" + target.name + "\" the second time",
                        "give that other target another name");
        }
    }

    void checkTarget(const Target& target, const std::string& path)
    {
        const bool app = !target.runtime.empty() || !target.app.empty();
        const int ways = int(app) + int(!target.command.empty()) + int(!target.url.empty()) + int(target.builtin);
        if (ways != 1)
            problem(path, ways == 0 ? "says no server" : "says more than one server",
                    "give exactly one of runtime with app, command, url, builtin");
        if (app)
            checkApp(target, path);
        if (!target.command.empty())
            checkProgram(path + ".command", target.command.front());
        if (!target.url.empty())
            checkTargetUrl(target.url, path + ".url");
        // Servers that are started are spoken to without TLS.
        if (auto checked = checkScheme(m_plan.load.http, target.url.starts_with("https://")); !checked)
            problem(path, checked.problem().message, checked.problem().cure);
        for (const auto& [key, value] : target.env) {
            if (key == "PORT")
                problem(path + ".env.PORT", "is set by Lapbench", "use port for a fixed one");
            else if (key.empty() || key.find('=') != std::string::npos)
                problem(path + ".env." + key, "is no name of a variable", "leave out the =");
        }
        if (!isPathOfUrl(target.readyPath))
            problem(path + ".ready_path", "\"" + target.readyPath + "\" is no path",
                    "start it with /, percent-encoded");
    }

    void checkApp(const Target& target, const std::string& path)
    {
        std::vector<std::string_view> known;
        for (const RuntimeAsk& runtime : m_plan.runtimes)
            known.push_back(runtime.name);
        if (target.runtime.empty())
            problem(path + ".runtime", "is missing", "name the runtime that runs the app");
        else if (std::find(known.begin(), known.end(), target.runtime) == known.end())
            problem(path + ".runtime", "there is no runtime \"" + target.runtime + "\" under runtimes",
                    suggest(target.runtime, known));
        if (target.app.empty())
            problem(path + ".app", "is missing", "name the script that the runtime runs");
        else if (!findApp(m_plan, target.app, m_resources))
            problem(path + ".app",
                    "\"" + target.app + "\" is no file in " + shownFolder() +
                        (m_resources.empty() ? std::string() : " nor in " + (m_resources / "apps").string()),
                    "correct the name or put the file there");
    }

    void checkTargetUrl(const std::string& url, const std::string& path)
    {
        const auto parts = splitUrl(url);
        if (!parts)
            problem(path, "\"" + url + "\": " + parts.problem().message, parts.problem().cure);
        else if (parts.value().path != "/")
            problem(path, "\"" + url + "\" has a path", "put the path into the workloads");
    }

    void checkWorkloads()
    {
        if (m_plan.workloads.empty())
            problem("workloads", "there is no workload", "add one, or leave the key out for GET /");
        std::set<std::string> names;
        for (std::size_t i = 0; i < m_plan.workloads.size(); ++i) {
            const Workload& workload = m_plan.workloads[i];
            const std::string path = "workloads[" + std::to_string(i) + "]";
            if (workload.name.empty())
                problem(path + ".name", "is empty", "give it a name");
            else if (!names.insert(workload.name).second)
                problem(path + ".name", "\"" + workload.name + "\" stands twice",
                        "give each workload a name of its own");
            add(checkWorkload(workload, path));
        }
    }

    void checkExtents()
    {
        if (m_plan.measure.duration.has_value() == m_plan.measure.requests.has_value())
            problem("measure", "needs exactly one of duration and requests", "for example {\"duration\": \"30s\"}");
        if (m_plan.load.find && m_plan.measure.requests)
            problem("measure.requests", "does not go together with load.find", "give a duration: that of one rate");
        if (m_plan.warmup.duration && m_plan.warmup.requests)
            problem("warmup", "has both duration and requests", "keep one of them");
        if (m_plan.warmup.untilSteady && m_plan.warmup.requests)
            problem("warmup", "has both until_steady and requests", "keep one of them");
    }

    void checkLevels()
    {
        if (m_plan.load.connections.empty())
            problem("load.connections", "is empty", "give at least one number of connections");
        checkTwice("load.connections", m_plan.load.connections, "level");
        checkTwice("load.rate", m_plan.load.rates, "level");
    }

    void checkFairWork()
    {
        const std::vector<std::string>& ignore = m_plan.fairWork.ignore;
        for (std::size_t i = 0; i < ignore.size(); ++i)
            if (ignore[i] != "body" && (ignore[i].empty() || !isJsonPointer(ignore[i])))
                problem("fair_work.ignore[" + std::to_string(i) + "]",
                        "\"" + ignore[i] + "\" is neither \"body\" nor a JSON pointer", "for example /generated_at");
    }

    void checkTwice(const std::string& path, const std::vector<unsigned>& numbers, const std::string& noun)
    {
        std::set<unsigned> seen;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (!seen.insert(numbers[i]).second)
                problem(path + "[" + std::to_string(i) + "]", std::to_string(numbers[i]) + " stands twice",
                        "give each " + noun + " once");
    }

    const Plan& m_plan;
    const fs::path& m_resources;
    Problems m_problems;
};

} // namespace

Problems checkPlan(const Plan& plan, const fs::path& resources)
{
    return PlanChecker(plan, resources).check();
}

Problems checkRounds(const Plan& plan)
{
    Problems problems;
    if (!plan.untilCi)
        return problems;
    if (plan.rounds.value_or(kFewestRounds) < kFewestRounds)
        problems.push_back({"rounds",
                            std::to_string(*plan.rounds) + " is fewer than the " + std::to_string(kFewestRounds) +
                                " that until_ci needs",
                            "give the most rounds you want to wait for, or leave it out"});
    const auto selected =
        std::count_if(plan.targets.begin(), plan.targets.end(), [](const Target& target) { return target.selected; });
    if (selected == 1 && !plan.aaControl)
        problems.push_back({"until_ci", "has nothing to compare: only one target is selected",
                            "select another one, or set aa_control"});
    return problems;
}

namespace {

void checkGoal(const Goal& goal, const std::string& place, Problems& problems)
{
    if (!goal.p50 && !goal.p90 && !goal.p95 && !goal.p99 && !goal.p99_9)
        problems.push_back({place, "says no latency", "give at least one, for example \"p99\": \"10ms\""});
    if (goal.from && goal.to && *goal.from > *goal.to)
        problems.push_back({place + ".from",
                            std::to_string(*goal.from) + " is above to, which is " + std::to_string(*goal.to),
                            "give the lower rate in from"});
}

} // namespace

Problems checkLoad(const Load& load, const std::string& place)
{
    Problems problems;
    const std::string prefix = place.empty() ? "" : place + ".";
    const int rates = int(!load.rates.empty()) + int(!load.ramp.empty()) + int(!load.steps.empty());
    if (rates > 1)
        problems.push_back({place, "more than one of rate, ramp and steps is given", "keep one of them"});
    if (load.find && rates > 0)
        problems.push_back({prefix + "find", "does not go together with rate, ramp or steps",
                            "leave those out: the search chooses the rates"});
    if (load.find)
        checkGoal(*load.find, prefix + "find", problems);
    if (const auto ramp = parseRamp(load.ramp); !load.ramp.empty() && !ramp)
        problems.push_back({prefix + "ramp", ramp.problem().message, ramp.problem().cure});
    if (const auto steps = parseSteps(load.steps); !load.steps.empty() && !steps)
        problems.push_back({prefix + "steps", steps.problem().message, steps.problem().cure});
    for (Problem& found : checkWire(load, place))
        problems.push_back(std::move(found));
    return problems;
}

std::optional<fs::path> findApp(const Plan& plan, const std::string& app, const fs::path& resources)
{
    std::error_code ignored;
    if (const fs::path beside = plan.folder / app; fs::is_regular_file(beside, ignored))
        return beside;
    if (!resources.empty())
        if (const fs::path shipped = resources / "apps" / app; fs::is_regular_file(shipped, ignored))
            return shipped;
    return std::nullopt;
}

} // namespace lapbench
