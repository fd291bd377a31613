#include "core/result/align_imported.h"

#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lapbench {

namespace {

/// A rate that was reached within this share of the one asked for is taken for it.
constexpr double kSameRate = 0.01;

template <typename T>
std::vector<T> distinct(const SessionResult& result, T Trial::*member)
{
    std::vector<T> values;
    for (const Trial& trial : result.trials)
        if (std::find(values.begin(), values.end(), trial.*member) == values.end())
            values.push_back(trial.*member);
    return values;
}

/// The workload of a plan that asks for "METHOD /path"; empty where none or several do.
std::string workloadAsking(const Plan& plan, const std::string& request)
{
    std::vector<std::string> found;
    for (const Workload& workload : plan.workloads)
        if (workload.requests.empty() && workload.method + " " + workload.path == request)
            found.push_back(workload.name);
    return found.size() == 1 ? found.front() : std::string();
}

class Alignment {
public:
    Alignment(const NamedResult& reference, std::vector<std::string>& notes)
        : m_reference(reference), m_notes(notes), m_plan(parsePlan(reference.result.planJson, {}).plan),
          m_workloads(distinct(reference.result, &Trial::workload)), m_levels(distinct(reference.result, &Trial::level))
    {}

    void align(NamedResult& named)
    {
        const std::vector<std::string> own = distinct(named.result, &Trial::workload);
        for (Trial& trial : named.result.trials) {
            alignWorkload(trial, own.size() == 1, named.name);
            alignLevel(trial, named.name);
        }
        named.result.cells = makeCells(named.result.trials);
    }

private:
    void note(const std::string& text)
    {
        if (m_told.insert(text).second)
            m_notes.push_back(text);
    }

    void alignWorkload(Trial& trial, bool isOnly, const std::string& name)
    {
        if (std::find(m_workloads.begin(), m_workloads.end(), trial.workload) != m_workloads.end())
            return;
        std::string same = workloadAsking(m_plan, trial.workload);
        if (same.empty() && isOnly && m_workloads.size() == 1) {
            same = m_workloads.front();
            note(name + ": what it asked for (" + trial.workload + ") is compared with the only workload of " +
                 m_reference.name + ", " + same + "; whether it is the same work is not known");
        }
        if (!same.empty())
            trial.workload = same;
    }

    void alignLevel(Trial& trial, const std::string& name)
    {
        if (m_levels.size() != 1)
            return;
        const Level& level = m_levels.front();
        if (trial.level.connections == 0 && level.connections > 0) {
            note(name + ": the number of connections is not told and taken to be that of " + m_reference.name + ", " +
                 std::to_string(level.connections));
            trial.level.connections = level.connections;
        }
        const bool open = trial.imported && trial.imported->semantics.correction == Correction::intended;
        const double rps = trial.load.rps.value_or(0);
        if (!trial.level.rate && open && level.rate && std::abs(rps / *level.rate - 1) <= kSameRate) {
            note(name + ": the rate asked for is not told and taken to be that of " + m_reference.name + ", " +
                 std::to_string(*level.rate) + " a second");
            trial.level.rate = level.rate;
        }
    }

    const NamedResult& m_reference;
    std::vector<std::string>& m_notes;
    Plan m_plan;
    std::vector<std::string> m_workloads;
    std::vector<Level> m_levels;
    std::set<std::string> m_told;
};

} // namespace

bool isImported(const SessionResult& result)
{
    return !result.trials.empty() && std::all_of(result.trials.begin(), result.trials.end(),
                                                 [](const Trial& trial) { return trial.imported.has_value(); });
}

bool tellsItsTime(const SessionResult& result)
{
    return !isImported(result) || std::any_of(result.trials.begin(), result.trials.end(),
                                              [](const Trial& trial) { return trial.started != UtcTime{}; });
}

std::vector<NamedResult> alignImported(const std::vector<NamedResult>& results, std::vector<std::string>& notes)
{
    std::vector<NamedResult> aligned = results;
    if (results.empty())
        return aligned;
    const auto own = std::find_if(results.begin(), results.end(),
                                  [](const NamedResult& named) { return !isImported(named.result); });
    const std::size_t reference = own == results.end() ? 0 : static_cast<std::size_t>(own - results.begin());
    Alignment alignment(results[reference], notes);
    for (std::size_t i = 0; i < aligned.size(); ++i)
        if (i != reference && isImported(aligned[i].result))
            alignment.align(aligned[i]);
    return aligned;
}

} // namespace lapbench
