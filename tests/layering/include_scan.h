#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One include that the table of ARCHITECTURE.md, "The house", does not allow.
struct LayerViolation {
    std::string file; ///< relative to the scanned root
    int line = 0;
    std::string include; ///< as written, without its brackets or quotes
    std::string reason;

    bool operator==(const LayerViolation&) const = default;
};

/// "core/load/worker.h:12: <QString>: reason".
std::string format(const LayerViolation& violation);

/// Tells the Qt module of a header ("QString" is of "QtCore") from the folders below Qt's include folder.
/// Empty for a name that no module has.
std::string qtModuleOf(std::string_view header, const std::filesystem::path& qtIncludes);

/// Reads every .h, .cpp and .c below core/, ui/, app/ and tests/ of `root` and returns each include that breaks the
/// table, in the order of the file names. tests/ may include anything, but only by paths from the root.
std::vector<LayerViolation> scanIncludes(const std::filesystem::path& root, const std::filesystem::path& qtIncludes);

} // namespace lapbench
