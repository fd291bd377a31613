#include "core/result/library.h"

#include "core/base/atomic_file.h"
#include "core/base/trash.h"
#include "core/result/annotate.h"
#include "core/result/journal.h"
#include "core/result/library_index.h"
#include "core/result/result_json.h"

#include <sys/stat.h>

#include <algorithm>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".lapbench.json";
constexpr std::size_t kLongestName = 200, kShortestId = 4;
/// The index is saved after so many files, so that one who stops waiting has not waited for nothing.
constexpr std::size_t kSaveEvery = 200;

std::optional<FileState> stateOf(const fs::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    const auto nanoseconds = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    };
    return FileState{static_cast<std::uint64_t>(status.st_size), status.st_ino, nanoseconds(status.st_mtim),
                     nanoseconds(status.st_ctim)};
}

bool isJournal(const fs::path& path)
{
    return path.extension() == ".journal";
}

/// A result, or the journal of one that is not there yet; no temporary file.
bool belongs(const fs::path& path)
{
    std::error_code ignored;
    const std::string name = path.filename().string();
    if (name.starts_with('.'))
        return false;
    return path.extension() == ".json" || (isJournal(path) && !fs::exists(fs::path(path).replace_extension(), ignored));
}

LibraryEntry readEntryOf(const fs::path& path, const FileState& state)
{
    const auto read = readResultOrJournal(path);
    if (read)
        return makeEntry(path, state, read.value());
    Problem problem = read.problem();
    // The name stands beside it already.
    if (problem.path.starts_with(path.string()))
        problem.path.erase(0,
                           problem.path.size() > path.string().size() ? path.string().size() + 2 : std::string::npos);
    return unreadableEntry(path, state, format(problem));
}

Result<std::vector<fs::path>> filesOf(const fs::path& folder)
{
    std::error_code error;
    std::vector<fs::path> files;
    if (!fs::exists(folder, error))
        return files;
    fs::directory_iterator entries(folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error))
        if (belongs(entries->path()))
            files.push_back(entries->path());
    if (error)
        return Problem{folder.string(), "cannot be read: " + error.message(), "check its permissions"};
    return files;
}

bool newerFirst(const LibraryEntry& a, const LibraryEntry& b)
{
    if (a.readable() != b.readable())
        return a.readable();
    return a.created != b.created ? a.created > b.created : a.name < b.name;
}

Problem several(const std::string& text, const std::vector<const LibraryEntry*>& found)
{
    return {text, "is the id of several results, such as " + found[0]->name + " and " + found[1]->name,
            "give more of the id, or a name"};
}

Result<std::string> checkName(const std::string& text)
{
    std::string name = text.ends_with(kEnding) ? text.substr(0, text.size() - kEnding.size()) : text;
    const bool fit = !name.empty() && !name.starts_with('.') && name.size() <= kLongestName &&
                     std::none_of(name.begin(), name.end(),
                                  [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!fit)
        return Problem{"\"" + text + "\"", "cannot be the name of a result",
                       "take up to 200 bytes without slashes, and no dot at the beginning"};
    return name;
}

/// Why a file must be left alone for now.
std::optional<Problem> busy(const LibraryEntry& entry)
{
    const fs::path result = isJournal(entry.path) ? fs::path(entry.path).replace_extension() : entry.path;
    if (!Journal::inUse(result))
        return std::nullopt;
    return Problem{entry.path.string(), "is being measured by a session that is running", "wait for its end"};
}

std::optional<Problem> unended(const LibraryEntry& entry)
{
    if (!isJournal(entry.path))
        return std::nullopt;
    return Problem{entry.path.string(), "is of a session that did not end", "let it end by run --resume first"};
}

} // namespace

Library::Library(const fs::path& home) : m_folder(home / "results"), m_index(home / "cache/results-index.json") {}

Result<std::vector<LibraryEntry>> Library::list(const Reading& reading) const
{
    const auto files = filesOf(m_folder);
    if (!files)
        return files.problem();
    const auto text = readFile(m_index);
    const LibraryIndex known = text ? parseLibraryIndex(text.value(), m_folder) : LibraryIndex();

    LibraryIndex index;
    std::vector<std::pair<fs::path, FileState>> unread;
    for (const fs::path& path : files.value()) {
        const auto state = stateOf(path);
        const auto old = known.find(path.filename().string());
        if (old != known.end() && state == old->second.file)
            index.emplace(old->first, old->second);
        else
            unread.emplace_back(path, state.value_or(FileState()));
    }
    // An index that cannot be saved costs time only.
    const auto save = [&] {
        std::error_code ignored;
        fs::create_directories(m_index.parent_path(), ignored);
        (void)writeFileAtomically(m_index, formatLibraryIndex(index, m_folder));
    };
    for (std::size_t i = 0; i < unread.size(); ++i) {
        if (reading)
            reading(i, unread.size());
        index.emplace(unread[i].first.filename().string(), readEntryOf(unread[i].first, unread[i].second));
        if ((i + 1) % kSaveEvery == 0)
            save();
    }
    if (!unread.empty() || index.size() != known.size())
        save();

    std::vector<LibraryEntry> entries;
    entries.reserve(index.size());
    for (auto& [file, entry] : index)
        entries.push_back(std::move(entry));
    std::sort(entries.begin(), entries.end(), newerFirst);
    return entries;
}

Result<LibraryEntry> Library::find(const std::string& text) const
{
    std::error_code ignored;
    const bool isFile = fs::is_regular_file(text, ignored);
    if (isFile && (text.find('/') != std::string::npos || belongs(text)))
        return fromFile(text);
    const auto entries = list();
    if (!entries)
        return entries.problem();
    std::vector<const LibraryEntry*> byId;
    for (const LibraryEntry& entry : entries.value()) {
        if (entry.name == text || entry.path.filename() == text)
            return entry;
        if (text.size() >= kShortestId && entry.id.starts_with(text))
            byId.push_back(&entry);
    }
    if (byId.size() > 1)
        return several(text, byId);
    if (byId.size() == 1)
        return *byId.front();
    if (isFile)
        return fromFile(text);
    return Problem{text, "is no file, and no name or id of a result in " + m_folder.string(),
                   "see lapbench-cli results"};
}

/// Of other people's files only those that are results are any business of the library.
Result<LibraryEntry> Library::fromFile(const fs::path& path) const
{
    LibraryEntry entry = readEntryOf(path, stateOf(path).value_or(FileState()));
    std::error_code ignored;
    const fs::path folder = fs::absolute(path).parent_path();
    if (!entry.readable() && !fs::equivalent(folder, m_folder, ignored))
        return Problem{path.string(), entry.problem, ""};
    return entry;
}

Result<fs::path> Library::rename(const LibraryEntry& entry, const std::string& text)
{
    if (auto problem = unended(entry))
        return *problem;
    if (auto problem = busy(entry))
        return *problem;
    const auto name = checkName(text);
    if (!name)
        return name.problem();
    fs::path target = entry.path.parent_path() / (name.value() + std::string(kEnding));
    std::error_code ignored;
    if (fs::exists(Journal::pathFor(target), ignored))
        return Problem{target.string(), "is the name of a session that did not end", "choose another name"};
    if (auto moved = moveWithoutReplacing(entry.path, target); !moved)
        return moved.problem();
    return target;
}

Result<void> Library::tag(const LibraryEntry& entry, const std::vector<std::string>& tags, bool remove)
{
    if (auto problem = unended(entry))
        return *problem;
    return annotateResult(entry.path, [&](Annotations& annotations) -> Result<void> {
        for (const std::string& text : tags) {
            const auto tag = checkTag(text);
            if (!tag)
                return tag.problem();
            const auto at = std::find(annotations.tags.begin(), annotations.tags.end(), tag.value());
            if (remove && at == annotations.tags.end())
                return Problem{entry.name, "has no tag \"" + tag.value() + "\"", "see lapbench-cli results"};
            if (remove)
                annotations.tags.erase(at);
            else if (at == annotations.tags.end())
                annotations.tags.push_back(tag.value());
        }
        return {};
    });
}

Result<void> Library::setTags(const LibraryEntry& entry, const std::vector<std::string>& tags)
{
    if (auto problem = unended(entry))
        return *problem;
    return annotateResult(entry.path, [&](Annotations& annotations) -> Result<void> {
        annotations.tags.clear();
        for (const std::string& text : tags) {
            const auto tag = checkTag(text);
            if (!tag)
                return tag.problem();
            annotations.tags.push_back(tag.value());
        }
        return {};
    });
}

Result<void> Library::note(const LibraryEntry& entry, const std::string& text)
{
    if (auto problem = unended(entry))
        return *problem;
    return annotateResult(entry.path, [&](Annotations& annotations) -> Result<void> {
        annotations.notes = text;
        return {};
    });
}

Result<void> Library::remove(const LibraryEntry& entry, bool permanently)
{
    if (auto problem = busy(entry))
        return *problem;
    if (!permanently) {
        const auto moved = moveToTrash(entry.path);
        return moved ? Result<void>() : Result<void>(moved.problem());
    }
    std::error_code error;
    if (!fs::remove(entry.path, error) || error)
        return Problem{entry.path.string(), "cannot be deleted: " + (error ? error.message() : "it is gone already"),
                       "check its name and permissions"};
    return {};
}

} // namespace lapbench
