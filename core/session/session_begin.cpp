#include "core/base/atomic_file.h"
#include "core/net/curl_version.h"
#include "core/plan/schedule.h"
#include "core/result/result_json.h"
#include "core/result/sha256.h"
#include "core/session/session_run.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lapbench {

namespace fs = std::filesystem;

Result<void> SessionRun::prepare()
{
    if (auto writable = checkDestination(m_options.result, true); !writable)
        return writable.problem();
    auto commands = TargetCommands::prepare(m_plan, m_places);
    if (!commands)
        return commands.problem();
    m_commands = std::move(commands).value();
    m_keeper.emplace(*m_commands, m_places.program, m_control, m_observer);
    m_trialsOfRound = makeRound(m_plan, 1, 1, 0).size();

    m_record.id = newResultId();
    m_record.created = std::chrono::system_clock::now();
    m_record.tool = {LAPBENCH_VERSION, LAPBENCH_GIT, LAPBENCH_BUILD, libcurlVersion()};
    m_record.scale = m_plan.scale;
    m_record.planJson = m_plan.sourceJson;
    m_record.planSha256 = sha256Hex(m_plan.sourceJson);
    m_record.host = readHostInfo();
    m_record.runtimes = m_commands->usedRuntimes();
    m_record.conditionsBefore = readConditions();
    m_processesBefore = takeSnapshot();
    m_record.publishedJson = m_plan.publishedJson;
    return openJournal();
}

/// A calibration that cannot be read costs a session nothing but the look at the ceiling.
void SessionRun::readCeilings()
{
    auto calibration = readCalibration(m_places.home);
    if (calibration) {
        m_calibration = std::move(calibration).value();
        m_machine = thisMachine();
        return;
    }
    warn({"calibration_unreadable", "info", format(calibration.problem()), ""});
}

Result<void> SessionRun::openJournal()
{
    std::error_code error;
    const fs::path path = Journal::pathFor(m_options.result);
    if (!m_options.resume || !fs::exists(path, error)) {
        auto journal = Journal::create(m_options.result, m_record);
        if (!journal)
            return journal.problem();
        m_journal.emplace(std::move(journal).value());
        return {};
    }
    auto before = readResultOrJournal(path);
    if (!before)
        return before.problem();
    if (before.value().planSha256 != m_record.planSha256 || before.value().scale != m_record.scale)
        return Problem{path.string(), "is of another plan or another scale",
                       "resume with the plan and the scale it was started with"};
    if (!arePlanned(before.value().trials))
        return Problem{path.string(), "is of another choice of targets", "resume with the --only it was started with"};
    auto journal = Journal::reopen(m_options.result);
    if (!journal)
        return journal.problem();
    m_journal.emplace(std::move(journal).value());
    takeUp(std::move(before).value());
    return {};
}

/// Attempts follow each other without gaps, so the first number of each is known.
bool SessionRun::arePlanned(const std::vector<Trial>& trials) const
{
    std::map<std::pair<unsigned, unsigned>, std::vector<const Trial*>> attempts;
    for (const Trial& trial : trials)
        attempts[{trial.round, trial.attempt}].push_back(&trial);
    std::size_t first = 0;
    for (const auto& [number, members] : attempts) {
        if (number.first == 0 || number.first > m_rules.most)
            return false;
        const Attempt attempt = makeRound(m_plan, number.first, number.second, first);
        for (const Trial* trial : members) {
            if (trial->index < first || trial->index - first >= attempt.size())
                return false;
            const Trial planned = blank(attempt[trial->index - first]);
            if (planned.target != trial->target || planned.workload != trial->workload ||
                planned.level != trial->level || planned.order != trial->order)
                return false;
        }
        first += attempt.size();
    }
    return true;
}

/// Trials that were broken off are run again.
void SessionRun::takeUp(SessionResult before)
{
    m_record.id = before.id;
    m_record.created = before.created;
    m_record.conditionsBefore = std::move(before.conditionsBefore);
    m_record.fairWork = std::move(before.fairWork);
    m_record.coldStarts = std::move(before.coldStarts);
    m_record.warnings = std::move(before.warnings);
    m_elapsedBefore =
        std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(before.elapsedSeconds.value_or(0)));
    for (Trial& trial : before.trials)
        if (trial.outcome != Outcome::interrupted)
            m_record.trials.push_back(std::move(trial));
}

} // namespace lapbench
