#include "core/runtimes/catalog.h"
#include "core/runtimes/runtime_program.h"
#include "core/runtimes/store_folder.h"
#include "core/server/subprocess.h"

#include <algorithm>
#include <tuple>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

using Log = std::function<void(const std::string&)>;

constexpr std::size_t kShownHashDigits = 12;
constexpr std::size_t kShownNpmLines = 6;

/// npm's own account of a failure in one piece, without its prefixes and the line that names its log file.
std::string lastWords(const std::vector<std::string>& lines)
{
    std::vector<std::string> errors;
    for (const std::string& line : lines) {
        for (const std::string_view prefix : {"npm error ", "npm ERR! "})
            if (line.starts_with(prefix) && line.find("complete log") == std::string::npos)
                errors.push_back(line.substr(prefix.size()));
    }
    if (errors.empty())
        errors = lines;
    std::string text;
    for (std::size_t i = errors.size() > kShownNpmLines ? errors.size() - kShownNpmLines : 0; i < errors.size(); ++i)
        text += (text.empty() ? "" : " / ") + errors[i];
    return text.empty() ? "npm said nothing" : "npm said: " + text;
}

bool anyLineHolds(const std::vector<std::string>& lines, std::string_view text)
{
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

/// npm in a folder. It inherits the lock, which so holds for as long as npm may write, even when Lapbench is killed.
Result<void> runNpm(std::vector<std::string> arguments, const std::string& what, const fs::path& folder,
                    const FolderLock& lock, const Log& log, const std::atomic<bool>* stop)
{
    ProgramStart npm;
    npm.argv = {"npm"};
    npm.argv.insert(npm.argv.end(), arguments.begin(), arguments.end());
    for (const char* option : {"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"})
        npm.argv.emplace_back(option);
    npm.env = {{"NO_COLOR", "1"}};
    npm.folder = folder;
    npm.keepFds = {lock.fd()};
    const auto run = runProgram(std::move(npm), std::nullopt, log, stop);
    if (!run)
        return Problem{what, "npm is needed to install it and cannot be run",
                       "install npm (on Debian: the package npm) and see that it is on PATH"};
    if (run.value().succeeded())
        return {};
    if (run.value().stopped)
        return Problem{what, "the installation was stopped", ""};
    const std::vector<std::string>& lines = run.value().lastLines;
    if (anyLineHolds(lines, "ETARGET") || anyLineHolds(lines, "E404"))
        return Problem{what, "there is no such version (" + lastWords(lines) + ")", "check the version"};
    return Problem{what, "npm could not install it (" + lastWords(lines) + ")", "check the network and the free space"};
}

Result<void> moveIntoPlace(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    fs::rename(from, to, error);
    if (error)
        return Problem{to.string(), "cannot be put in place: " + error.message(), "check the folder's permissions"};
    return {};
}

fs::path runtimesFolder(const fs::path& home)
{
    return home / "runtimes";
}

std::string nameOf(std::string_view kind, std::string_view version)
{
    return std::string(kind) + "@" + std::string(version);
}

/// The place of an app's prepared copy.
Result<fs::path> preparedPlace(const fs::path& home, const fs::path& appFolder)
{
    const auto hash = folderHash(appFolder);
    if (!hash)
        return hash.problem();
    const fs::path folder = fs::weakly_canonical(appFolder);
    return home / "apps" / (folder.filename().string() + "-" + hash.value().substr(0, kShownHashDigits));
}

} // namespace

NpmStore::NpmStore(const fs::path& home) : m_home(fs::absolute(home)) {}

std::vector<Runtime> NpmStore::installed() const
{
    std::vector<Runtime> all;
    std::error_code error;
    fs::directory_iterator at(runtimesFolder(m_home), error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const auto name = parseRuntimeName(at->path().filename().native());
        if (!name)
            continue;
        if (auto runtime = find(name.value().kind, name.value().version)) {
            runtime->sizeBytes = folderBytes(at->path());
            all.push_back(std::move(*runtime));
        }
    }
    std::sort(all.begin(), all.end(), [](const Runtime& a, const Runtime& b) {
        return std::tie(a.kind, a.version) < std::tie(b.kind, b.version);
    });
    return all;
}

std::optional<Runtime> NpmStore::find(std::string_view kind, std::string_view version) const
{
    const auto package = packageFor(kind);
    if (!package)
        return std::nullopt;
    const fs::path program = runtimesFolder(m_home) / nameOf(kind, version) / package.value().program;
    std::error_code error;
    if (!fs::is_regular_file(program, error))
        return std::nullopt;
    return Runtime{std::string(kind), std::string(version), program, true, 0};
}

Result<Runtime> NpmStore::install(const RuntimeName& name, const Log& log, const std::atomic<bool>* stop)
{
    const std::string what = nameOf(name.kind, name.version);
    if (const auto parsed = parseRuntimeName(what); !parsed)
        return parsed.problem();
    if (auto there = find(name.kind, name.version))
        return *there;
    const auto package = packageFor(name.kind);
    if (!package)
        return package.problem();
    const fs::path folder = runtimesFolder(m_home);
    const auto lock = FolderLock::take(folder, log, stop);
    if (!lock)
        return lock.problem();
    if (auto there = find(name.kind, name.version))
        return *there;
    const auto scratch = ScratchFolder::make(folder / ("." + what + ".part"));
    if (!scratch)
        return scratch.problem();
    const fs::path& work = scratch.value().path();
    const auto done = runNpm({"install", "--prefix", work.string(), "--no-save", "--no-package-lock",
                              package.value().name + "@" + name.version},
                             what, work, lock.value(), log, stop);
    if (!done)
        return done.problem();

    const fs::path unpacked = work / "node_modules" / package.value().name;
    const fs::path program = unpacked / package.value().program;
    std::error_code error;
    fs::permissions(program, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
    if (error)
        return Problem{what, "the package " + package.value().name + " holds no " + package.value().program.string(),
                       "choose another version"};
    const auto version = versionOf(program);
    if (!version)
        return Problem{what, "does not run here: " + version.problem().message, "choose another version"};
    if (version.value() != name.version)
        return Problem{what, "the installed program says that it is " + version.value(), "choose another version"};
    if (const auto moved = moveIntoPlace(unpacked, folder / what); !moved)
        return moved.problem();
    return *find(name.kind, name.version);
}

Result<void> NpmStore::remove(const RuntimeName& name)
{
    const std::string what = nameOf(name.kind, name.version);
    if (const auto parsed = parseRuntimeName(what); !parsed)
        return parsed.problem();
    const fs::path folder = runtimesFolder(m_home);
    std::error_code error;
    if (!fs::exists(folder / what, error))
        return Problem{what, "is not installed", "`runtimes list` shows what is"};
    const auto lock = FolderLock::take(folder, {}, nullptr);
    if (!lock)
        return lock.problem();
    // Out of the way in one step first: a half-removed runtime must not look installed.
    const fs::path aside = folder / ("." + what + ".part");
    fs::remove_all(aside, error);
    if (const auto moved = moveIntoPlace(folder / what, aside); !moved)
        return moved.problem();
    fs::remove_all(aside, error);
    if (error)
        return Problem{aside.string(), "cannot be removed: " + error.message(), "remove it by hand"};
    return {};
}

Result<fs::path> NpmStore::prepareApp(const fs::path& appFolder, const Log& log, const std::atomic<bool>* stop)
{
    std::error_code error;
    for (const char* needed : {"package.json", "package-lock.json"})
        if (!fs::is_regular_file(appFolder / needed, error))
            return Problem{appFolder.string(), std::string("has no ") + needed,
                           "npm install --package-lock-only --omit-lockfile-registry-resolved makes the lock file"};
    const auto place = preparedPlace(m_home, appFolder);
    if (!place || fs::is_directory(place.value(), error))
        return place;
    const auto lock = FolderLock::take(place.value().parent_path(), log, stop);
    if (!lock)
        return lock.problem();
    if (fs::is_directory(place.value(), error))
        return place;
    const std::string name = place.value().filename().string();
    const auto scratch = ScratchFolder::make(place.value().parent_path() / ("." + name + ".part"));
    if (!scratch)
        return scratch.problem();
    if (const auto copied = copyFolder(appFolder, scratch.value().path()); !copied)
        return copied.problem();
    const auto done = runNpm({"ci", "--omit=dev"}, appFolder.string(), scratch.value().path(), lock.value(), log, stop);
    if (!done)
        return done.problem();
    if (const auto moved = moveIntoPlace(scratch.value().path(), place.value()); !moved)
        return moved.problem();
    return place;
}

bool NpmStore::appIsPrepared(const fs::path& appFolder) const
{
    const auto place = preparedPlace(m_home, appFolder);
    std::error_code error;
    return place && fs::is_directory(place.value(), error);
}

} // namespace lapbench
