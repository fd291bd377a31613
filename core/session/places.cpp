#include "core/session/session.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0')
        return std::nullopt;
    return fs::absolute(value);
}

bool isResources(const fs::path& folder)
{
    std::error_code error;
    return fs::is_directory(folder / "plans", error) && fs::is_directory(folder / "apps", error);
}

} // namespace

fs::path defaultHome()
{
    if (const auto home = fromEnvironment("LAPBENCH_HOME"))
        return *home;
    if (const auto data = fromEnvironment("XDG_DATA_HOME"))
        return *data / "lapbench";
    if (const auto user = fromEnvironment("HOME"))
        return *user / ".local/share/lapbench";
    const passwd* entry = ::getpwuid(::getuid());
    return fs::path(entry != nullptr ? entry->pw_dir : "/tmp") / ".local/share/lapbench";
}

fs::path defaultResources(const fs::path& program)
{
    if (const auto named = fromEnvironment("LAPBENCH_RESOURCES"))
        return *named;
    // Installed: bin/lapbench-cli beside share/lapbench. Built: build/PRESET/app/cli/lapbench-cli below the sources.
    fs::path folder = program.parent_path();
    if (isResources(folder.parent_path() / "share/lapbench"))
        return folder.parent_path() / "share/lapbench";
    for (int up = 0; up < 5 && folder.has_relative_path(); ++up, folder = folder.parent_path())
        if (isResources(folder / "resources"))
            return folder / "resources";
    return {};
}

} // namespace lapbench
