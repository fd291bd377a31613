#include "core/result/journal.h"

#include "core/base/atomic_file.h"
#include "core/result/attempts.h"
#include "core/result/comparisons.h"
#include "core/result/json_reader.h"
#include "core/result/record_json.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr int kSchemaVersion = 1;
constexpr std::string_view kSchema = "lapbench-journal";

Result<void> writeLine(int fd, const fs::path& path, const Json& json)
{
    const std::string line = dumpJson(json) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = ::write(fd, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Problem{path.string(), std::string("cannot be written: ") + std::strerror(errno),
                           "free space or choose another place with -o"};
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(fd) != 0 && errno != EINVAL) // EINVAL: a destination that cannot be synced, such as a pipe
        return Problem{path.string(), std::string("cannot be made safe on disk: ") + std::strerror(errno),
                       "free space or choose another place with -o"};
    return {};
}

Problem runningProblem(const fs::path& path)
{
    return {path.string(), "is being written by a session that is running", "wait for its end or choose another -o"};
}

/// Held for as long as the descriptor is open, so also gone with a killed process.
bool lock(int fd)
{
    return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; // a file system without locks has no say
}

/// A trial that was broken off stands again once the session was resumed: the later line holds.
void keep(Trial trial, std::vector<Trial>& trials)
{
    const auto same =
        std::find_if(trials.begin(), trials.end(), [&](const Trial& other) { return other.index == trial.index; });
    if (same == trials.end())
        trials.push_back(std::move(trial));
    else
        *same = std::move(trial);
}

} // namespace

fs::path Journal::pathFor(const fs::path& result)
{
    return result.string() + ".journal";
}

Journal::Journal(fs::path path, OwnedFd fd) : m_path(std::move(path)), m_fd(std::move(fd)) {}

bool Journal::inUse(const fs::path& result)
{
    const OwnedFd fd(::open(pathFor(result).c_str(), O_RDONLY | O_CLOEXEC));
    return fd.open() && !lock(fd.get());
}

Result<Journal> Journal::create(const fs::path& result, const SessionResult& head)
{
    const fs::path path = pathFor(result);
    OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
    if (!fd.open() && errno == EEXIST) {
        if (inUse(result))
            return runningProblem(path);
        return Problem{path.string(), "is left over from a session that did not end",
                       "go on with it by --resume, or look at it with show and then remove it"};
    }
    if (!fd.open())
        return Problem{path.string(), std::string("cannot be written: ") + std::strerror(errno),
                       "choose another place with -o"};
    lock(fd.get());
    Journal journal(path, std::move(fd));
    Json json{{"schema", kSchema}, {"schema_version", kSchemaVersion}};
    putRecordHead(json, head);
    if (auto written = writeLine(journal.m_fd.get(), path, json); !written) {
        journal.discard();
        return written.problem();
    }
    return journal;
}

Result<Journal> Journal::reopen(const fs::path& result)
{
    const fs::path path = pathFor(result);
    OwnedFd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (!fd.open())
        return Problem{path.string(), std::string("cannot be written: ") + std::strerror(errno),
                       "check its permissions"};
    if (!lock(fd.get()))
        return runningProblem(path);
    const auto text = readFile(path);
    if (!text)
        return text.problem();
    const std::size_t whole = text.value().rfind('\n') + 1; // npos + 1 is 0: not even the first line is whole
    if (::ftruncate(fd.get(), static_cast<off_t>(whole)) != 0)
        return Problem{path.string(), std::string("cannot be written: ") + std::strerror(errno),
                       "check its permissions and the free space"};
    return Journal(path, std::move(fd));
}

Result<void> Journal::append(const Trial& trial, Nanoseconds elapsed)
{
    Json line{{"index", trial.index}};
    if (elapsed > Nanoseconds::zero())
        line["elapsed_s"] = std::chrono::duration<double>(elapsed).count();
    line["trial"] = trialToJson(trial);
    return writeLine(m_fd.get(), m_path, line);
}

Result<void> Journal::appendHead(const SessionResult& head)
{
    Json line = Json::object();
    putRecordHead(line["head"], head);
    line["head"]["warnings"] = Json::array();
    for (const Warning& warning : head.warnings)
        line["head"]["warnings"].push_back(warningToJson(warning));
    return writeLine(m_fd.get(), m_path, line);
}

void Journal::discard()
{
    m_fd.reset();
    ::unlink(m_path.c_str());
}

bool isJournalHead(std::string_view line)
{
    constexpr std::size_t kLookedAt = 256; // the schema is written first
    if (line.substr(0, kLookedAt).find(kSchema) == std::string_view::npos)
        return false;
    const auto json = parseJsonText(line);
    return json && json.value().is_object() && json.value().contains("schema") && json.value()["schema"] == kSchema;
}

Result<SessionResult> parseJournal(std::string_view text)
{
    SessionResult result;
    result.complete = false;
    std::optional<Problem> problem;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos)
            break; // a torn last line: the trial was not finished being written
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const auto parsed = parseJsonText(line);
        const std::string where = "line " + std::to_string(number);
        if (!parsed)
            return Problem{where, parsed.problem().message, ""};
        JsonReader json(parsed.value(), where, problem);
        if (number == 1) {
            if (auto checked = checkSchema(parsed.value(), kSchema, kSchemaVersion); !checked)
                return checked.problem();
            readRecordHead(json, result);
        } else if (json.object("head") != nullptr) {
            JsonReader head = json.child("head");
            const auto elapsed = result.elapsedSeconds;
            readRecordHead(head, result);
            result.elapsedSeconds = elapsed; // the trials know better
            result.warnings.clear();
            readWarnings(head, result.warnings);
        } else if (const Json* trialJson = json.object("trial")) {
            auto trial = trialFromJson(*trialJson);
            if (!trial)
                return Problem{where + ": " + trial.problem().path, trial.problem().message, ""};
            trial.value().index = json.count("index").value_or(number - 2);
            if (const auto elapsed = readElapsed(json))
                result.elapsedSeconds = elapsed;
            keep(std::move(trial).value(), result.trials);
        }
        if (problem)
            return *problem;
    }
    markSuperseded(result.trials); // a line that is written stays: which attempt counts shows later
    result.cells = makeCells(result.trials, targetsOf(result.planJson));
    const ComparisonRules rules = comparisonRulesOf(result);
    result.comparisons = makeComparisons(result.trials, rules);
    result.rankings = makeRankings(result.trials, rules);
    return result;
}

} // namespace lapbench
