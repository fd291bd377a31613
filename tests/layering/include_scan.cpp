#include "tests/layering/include_scan.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace lapbench {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

/// What the files of one folder may include: folders of the project ("core" stands for all of it) and libraries.
struct FolderRule {
    Names folders;
    Names libraries;
};

const Names kQtCore = {"QtCore"};
const Names kQtCharting = {"QtCore", "QtGui", "QtSvg", "QtCharts"};
const Names kQtWidgets = {"QtCore", "QtGui", "QtSvg", "QtWidgets"};

// The table of ARCHITECTURE.md, "The house", line by line. A folder's own files are always allowed.
const std::map<std::string, FolderRule, std::less<>> kRules = {
    {"core/base", {{}, {}}},
    {"core/plan", {{"core/base"}, {"json", "crypto"}}},
    {"core/host", {{"core/base"}, {"json"}}},
    {"core/net", {{"core/base"}, {"json", "curl"}}},
    {"core/workload", {{"core/base", "core/plan"}, {"json"}}},
    {"core/stats", {{"core/base"}, {"zlib"}}},
    {"core/load", {{"core/base", "core/plan", "core/workload", "core/stats"}, {}}},
    {"core/server", {{"core/base", "core/net", "core/plan", "core/stats"}, {"json"}}},
    {"core/runtimes", {{"core/base", "core/net", "core/server"}, {"json", "crypto"}}},
    {"core/services", {{"core/base", "core/net", "core/server"}, {"json"}}},
    {"core/result", {{"core/base", "core/plan", "core/stats", "core/host"}, {"json", "crypto"}}},
    {"core/result/import",
     {{"core/base", "core/plan", "core/stats", "core/host", "core/result"}, {"json", "crypto", "xml"}}},
    {"core/session", {{"core"}, {"json"}}},
    {"ui/bridge", {{"core", "ui/models"}, kQtCore}},
    {"ui/models", {{"core", "ui/bridge"}, kQtCore}},
    {"ui/charts", {{"core", "ui/bridge", "ui/models", "ui/style"}, kQtCharting}},
    {"ui/style", {{"core", "ui"}, kQtWidgets}},
    {"ui/views", {{"core", "ui"}, kQtWidgets}},
    {"app/cli", {{"core"}, {"cli11"}}},
    {"app/mpi", {{"core"}, {"cli11", "mpi"}}},
    {"app/gui", {{"core", "ui"}, kQtWidgets}},
};

/// Files that may include more than the rest of their folder. `stem` ending in '*' stands for a beginning.
struct FileRule {
    std::string_view folder, stem, library;
};
constexpr FileRule kFileRules[] = {
    {"core/load", "curl_*", "curl"},
    {"core/load", "curl_trust", "crypto"},
    {"core/load", "keep_alive_transport*", "curl"},
    {"core/load", "response_reader", "llhttp"},
    {"core/server", "builtin_server*", "llhttp"},
    {"ui/charts", "deflate", "zlib"},
};

bool matchesStem(std::string_view pattern, std::string_view stem)
{
    if (pattern.ends_with('*'))
        return stem.starts_with(pattern.substr(0, pattern.size() - 1));
    return stem == pattern;
}

/// The folder whose rule holds for a file: the longest folder of the table that contains it.
std::string ruleFolder(const std::string& file)
{
    for (fs::path folder = fs::path(file).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        if (kRules.contains(folder.generic_string()))
            return folder.generic_string();
    }
    return {};
}

bool isWithin(std::string_view path, std::string_view folder)
{
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// A header of the C++ library, the C library or the system's.
bool isSystemHeader(std::string_view name)
{
    static const Names cHeaders = {
        "assert.h", "ctype.h",   "dirent.h", "dlfcn.h",  "endian.h", "errno.h", "fcntl.h",  "fenv.h",   "float.h",
        "grp.h",    "limits.h",  "link.h",   "locale.h", "malloc.h", "math.h",  "netdb.h",  "poll.h",   "pthread.h",
        "pwd.h",    "sched.h",   "signal.h", "spawn.h",  "stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h",
        "syslog.h", "termios.h", "time.h",   "unistd.h", "utime.h",  "wait.h"};
    if (cHeaders.contains(name))
        return true;
    for (const std::string_view folder : {"sys/", "linux/", "netinet/", "arpa/", "net/", "asm/", "sanitizer/"}) {
        if (name.starts_with(folder))
            return true;
    }
    return std::all_of(name.begin(), name.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::optional<std::string> libraryOf(std::string_view name, const fs::path& qtIncludes)
{
    struct Known {
        std::string_view beginning, library;
    };
    static constexpr Known known[] = {{"curl/", "curl"},      {"llhttp", "llhttp"}, {"nlohmann/", "json"},
                                      {"openssl/", "crypto"}, {"zlib.h", "zlib"},   {"pugixml", "xml"},
                                      {"CLI/", "cli11"},      {"mpi.h", "mpi"}};
    for (const Known& entry : known) {
        if (name.starts_with(entry.beginning))
            return std::string(entry.library);
    }
    if (name.starts_with('Q') || name.starts_with('q')) {
        if (const std::string module = qtModuleOf(name, qtIncludes); !module.empty())
            return module;
        if (name.starts_with("Qt") || name.starts_with('Q'))
            return "Qt";
    }
    return std::nullopt;
}

struct Include {
    int line = 0;
    bool quoted = false;
    std::string name;
};

std::vector<Include> readIncludes(const fs::path& file)
{
    std::vector<Include> includes;
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto skipBlanks = [&line](std::size_t at) { return line.find_first_not_of(" \t", at); };
        std::size_t at = skipBlanks(0);
        if (at == std::string::npos || line[at] != '#')
            continue;
        at = skipBlanks(at + 1);
        constexpr std::string_view kWord = "include";
        if (at == std::string::npos || line.compare(at, kWord.size(), kWord) != 0)
            continue;
        at = skipBlanks(at + kWord.size());
        if (at == std::string::npos || (line[at] != '"' && line[at] != '<'))
            continue;
        const std::size_t end = line.find(line[at] == '"' ? '"' : '>', at + 1);
        if (end != std::string::npos)
            includes.push_back({number, line[at] == '"', line.substr(at + 1, end - at - 1)});
    }
    return includes;
}

/// Why a quoted include is wrong in a file under `rule`; empty where it is right. `rule` null: tests.
std::string checkQuoted(const std::string& name, const std::string& folder, const FolderRule* rule,
                        const fs::path& root, const std::string& file)
{
    if (name == fs::path(file).stem().generic_string() + ".moc" || name.starts_with("moc_"))
        return {};
    const bool fromRoot = name.starts_with("core/") || name.starts_with("ui/") || name.starts_with("app/") ||
                          (!rule && name.starts_with("tests/"));
    if (!fromRoot || name.find("..") != std::string::npos || !fs::exists(root / name))
        return "is no path from the root of the repository";
    if (!rule || isWithin(name, folder))
        return {};
    if (folder == "app/mpi" && name.starts_with("app/cli/args"))
        return {};
    for (const std::string& allowed : rule->folders) {
        if (isWithin(name, allowed))
            return {};
    }
    return folder + " may not include " + fs::path(name).parent_path().generic_string();
}

std::string checkAngled(const std::string& name, const std::string& folder, const FolderRule& rule,
                        const std::string& file, const fs::path& qtIncludes)
{
    const std::optional<std::string> library = libraryOf(name, qtIncludes);
    if (!library)
        return isSystemHeader(name) ? std::string() : "is of no library that the table names";
    if (rule.libraries.contains(*library))
        return {};
    const std::string stem = fs::path(file).stem().generic_string();
    for (const FileRule& extra : kFileRules) {
        if (extra.folder == folder && extra.library == *library && matchesStem(extra.stem, stem))
            return {};
    }
    return fs::path(file).parent_path().generic_string() + "/" + stem + " may not include " + *library;
}

void checkFile(const fs::path& root, const std::string& file, const fs::path& qtIncludes,
               std::vector<LayerViolation>& violations)
{
    const bool isTest = file.starts_with("tests/");
    const std::string folder = isTest ? "tests" : ruleFolder(file);
    if (folder.empty()) {
        violations.push_back({file, 0, "", "lies in a folder that the table does not name"});
        return;
    }
    const FolderRule* rule = isTest ? nullptr : &kRules.find(folder)->second;
    for (const Include& include : readIncludes(root / file)) {
        std::string reason;
        if (include.quoted)
            reason = checkQuoted(include.name, folder, rule, root, file);
        else if (rule)
            reason = checkAngled(include.name, folder, *rule, file, qtIncludes);
        if (!reason.empty())
            violations.push_back({file, include.line, include.name, reason});
    }
}

} // namespace

std::string format(const LayerViolation& violation)
{
    return violation.file + ":" + std::to_string(violation.line) + ": " + violation.include + ": " + violation.reason;
}

std::string qtModuleOf(std::string_view header, const fs::path& qtIncludes)
{
    const std::size_t slash = header.find('/');
    if (slash != std::string_view::npos)
        return std::string(header.substr(0, slash));
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(qtIncludes, error)) {
        const std::string module = entry.path().filename().string();
        if (module.starts_with("Qt") && (module == header || fs::exists(entry.path() / header)))
            return module;
    }
    return {};
}

std::vector<LayerViolation> scanIncludes(const fs::path& root, const fs::path& qtIncludes)
{
    std::vector<std::string> files;
    for (const char* top : {"core", "ui", "app", "tests"}) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top, error)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".h" || extension == ".cpp" || extension == ".c")
                files.push_back(fs::relative(entry.path(), root).generic_string());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<LayerViolation> violations;
    for (const std::string& file : files)
        checkFile(root, file, qtIncludes, violations);
    return violations;
}

} // namespace lapbench
