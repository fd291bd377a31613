#include "ui/bridge/session_event.h"

#include "core/result/comparisons_json.h"
#include "core/result/result_json.h"

#include <cmath>
#include <functional>
#include <map>

namespace lapbench {

namespace {

/// Reads keys of one event; the first that is missing or of the wrong type is remembered.
class Keys {
public:
    explicit Keys(const Json& json) : m_json(json) {}

    std::optional<double> number(const char* key) const
    {
        const auto found = m_json.find(key);
        if (found == m_json.end() || !found->is_number())
            return std::nullopt;
        const double value = found->get<double>();
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }

    std::uint64_t count(const char* key, std::uint64_t absent = 0) const
    {
        const auto found = m_json.find(key);
        return found != m_json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : absent;
    }

    QString text(const char* key) const
    {
        const auto found = m_json.find(key);
        return found != m_json.end() && found->is_string()
                   ? QString::fromStdString(found->get_ref<const std::string&>())
                   : QString();
    }

    std::uint64_t requiredCount(const char* key)
    {
        const auto found = m_json.find(key);
        if (found == m_json.end() || !found->is_number_unsigned())
            wrong(key, "a count");
        return count(key);
    }

    double requiredNumber(const char* key)
    {
        const auto value = number(key);
        if (!value)
            wrong(key, "a number");
        return value.value_or(0);
    }

    QString requiredText(const char* key)
    {
        const auto found = m_json.find(key);
        if (found == m_json.end() || !found->is_string())
            wrong(key, "a text");
        return text(key);
    }

    const Json& requiredObject(const char* key)
    {
        static const Json empty = Json::object();
        const auto found = m_json.find(key);
        if (found == m_json.end() || !found->is_object()) {
            wrong(key, "an object");
            return empty;
        }
        return *found;
    }

    void wrong(const char* key, const char* wanted)
    {
        wrong(Problem{key, std::string("the runner's event needs ") + wanted + " here", {}});
    }

    void wrong(Problem problem)
    {
        if (m_problem)
            return;
        problem.cure = "use the lapbench-cli of the same version as this window";
        m_problem = std::move(problem);
    }

    const Json& json() const { return m_json; }
    const std::optional<Problem>& problem() const { return m_problem; }

private:
    const Json& m_json;
    std::optional<Problem> m_problem;
};

SessionEvent readSessionStarted(Keys& keys)
{
    return SessionStarted{keys.requiredCount("trials"), keys.number("estimate_s")};
}

SessionEvent readTrialStarted(Keys& keys)
{
    TrialStarted event;
    event.index = keys.requiredCount("index");
    event.target = keys.requiredText("target");
    event.workload = keys.text("workload");
    const Json& level = keys.requiredObject("level");
    event.level.connections = static_cast<unsigned>(Keys(level).count("connections"));
    if (level.contains("rate"))
        event.level.rate = static_cast<unsigned>(Keys(level).count("rate"));
    event.round = static_cast<unsigned>(keys.count("round", 1));
    event.remainingSeconds = keys.number("remaining_s");
    event.attempt = static_cast<unsigned>(keys.count("attempt", 1));
    return event;
}

SessionEvent readInterval(Keys& keys)
{
    LiveInterval event;
    event.t = keys.requiredNumber("t");
    event.length = keys.number("length");
    event.ok = keys.count("ok");
    event.failed = keys.count("failed");
    event.rps = keys.number("rps");
    event.p25Us = keys.number("p25_us");
    event.p50Us = keys.number("p50_us");
    event.p75Us = keys.number("p75_us");
    event.p99Us = keys.number("p99_us");
    event.maxUs = keys.number("max_us");
    event.serverCpuCores = keys.number("server_cpu_cores");
    event.serverRssBytes = keys.number("server_rss_bytes");
    event.generatorCpuCores = keys.number("generator_cpu_cores");
    event.noise = keys.number("noise");
    return event;
}

SessionEvent readTrialFinished(Keys& keys)
{
    TrialFinished event;
    event.index = keys.requiredCount("index");
    auto trial = trialFromJson(keys.requiredObject("trial"));
    if (trial)
        event.trial = std::move(trial).value();
    else
        keys.wrong(trial.problem());
    event.trial.index = event.index;
    return event;
}

SessionEvent readRoundFinished(Keys& keys)
{
    RoundFinished event;
    event.round = static_cast<unsigned>(keys.requiredCount("round"));
    const auto list = keys.json().find("comparisons");
    if (list == keys.json().end() || !list->is_array())
        return event;
    for (const Json& each : *list) {
        const auto comparison = comparisonFromJson(each);
        if (comparison)
            event.comparisons.push_back(comparison.value());
        else
            keys.wrong(comparison.problem());
    }
    return event;
}

SessionEvent readWarning(Keys& keys)
{
    return WarningRaised{Warning{keys.text("code").toStdString(), keys.text("severity").toStdString(),
                                 keys.requiredText("text").toStdString(), keys.text("evidence").toStdString()}};
}

using Reader = std::function<SessionEvent(Keys&)>;

const std::map<std::string, Reader, std::less<>>& readers()
{
    static const std::map<std::string, Reader, std::less<>> table = {
        {"session_started", readSessionStarted},
        {"trial_started", readTrialStarted},
        {"phase", [](Keys& keys) -> SessionEvent { return PhaseChanged{keys.requiredText("name")}; }},
        {"interval", readInterval},
        {"trial_finished", readTrialFinished},
        {"round_finished", readRoundFinished},
        {"warning", readWarning},
        {"log",
         [](Keys& keys) -> SessionEvent {
             return LogLine{keys.text("source"), keys.requiredText("line")};
         }},
        {"session_finished", [](Keys& keys) -> SessionEvent { return SessionFinished{keys.requiredText("result")}; }},
        {"session_failed", [](Keys& keys) -> SessionEvent { return SessionFailed{keys.requiredText("message")}; }},
    };
    return table;
}

} // namespace

Result<SessionEvent> parseSessionEvent(const QByteArray& line)
{
    const Json json = Json::parse(line.begin(), line.end(), nullptr, false);
    if (!json.is_object())
        return Problem{"", "the runner wrote a line that is no event: " + line.left(80).toStdString(),
                       "look at the server output for what it says"};
    Keys keys(json);
    const QString name = keys.requiredText("event");
    if (keys.problem())
        return *keys.problem();
    const auto reader = readers().find(name.toStdString());
    if (reader == readers().end())
        return SessionEvent(UnknownEvent{name});
    SessionEvent event = reader->second(keys);
    if (keys.problem()) {
        Problem problem = *keys.problem();
        problem.path = name.toStdString() + "." + problem.path;
        return problem;
    }
    return event;
}

} // namespace lapbench
