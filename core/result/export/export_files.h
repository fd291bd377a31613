#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One file of an export, whole.
struct ExportFile {
    std::string name; ///< within the folder: "rps.svg", "charts/rps.svg"; safe, see safeFileName()
    std::string content;
};

/// What a file of a result is called without folder and ending: "json-api" of "x/json-api.lapbench.json.journal".
std::string resultName(const std::filesystem::path& file);

/// A text as part of a file's name: letters and digits of ASCII, "-", "_" and "." where it does not lead; at most 80
/// of them, "result" where nothing is left. No path leads out of it.
std::string safeFileName(std::string_view text);

/// Of these files those that the folder already has. Problem: something else than a file is in the place of one, or
/// the folder is none.
Result<std::vector<std::string>> filesInTheWay(const std::filesystem::path& folder,
                                               const std::vector<ExportFile>& files);

/// Writes all of them into `folder`, made where it is missing, with their folders. All are on disk under other names
/// before the first one takes its place, so that a full disk leaves nothing behind but what was there; existing files
/// are replaced. Names that lead out of the folder are a problem.
Result<void> writeExportFiles(const std::filesystem::path& folder, const std::vector<ExportFile>& files,
                              unsigned mode = 0644);

} // namespace lapbench
