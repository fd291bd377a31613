#pragma once

#include <map>
#include <set>
#include <string>

namespace lapbench {

/// A plan as flat text, for telling two plans apart.
struct PlanSettings {
    std::map<std::string, std::string> values; ///< by path, "load.connections", "targets[bun].app"
    std::map<std::string, std::string> parts;  ///< runtimes, targets and so on, whole: "targets[bun]"
};

/// From a plan's JSON; nothing where it is none. Values are written as the option table writes them, so that "1000ms"
/// is "1s". Names, `published` and words for people are left out.
PlanSettings planSettingsOf(const std::string& planJson);

/// What a plan has at this path where it does not say: the default of the option table, empty where there is none.
std::string standardAt(const std::string& path);

} // namespace lapbench
