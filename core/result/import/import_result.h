#pragma once

#include "core/result/import/foreign_file.h"
#include "core/result/import/imported_run.h"
#include "core/result/session_result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// The runs in a file, by whichever tool wrote it; with `tool` only by that one. Problems, the file's name in front: an
/// unknown name of a tool, a file in none of the formats, a broken or cut-off one.
Result<ImportedRuns> importRuns(const ForeignFile& file, std::string_view tool = {});

/// The names of the tools whose output is known, each once: "wrk", "k6".
std::vector<std::string_view> importedTools();

struct ImportNames {
    std::string tool;             ///< empty: recognised by content
    std::string target, workload; ///< instead of what the files tell; empty: that
};

/// The runs of one or more files as one result: a trial a run. The target is called by the heading or title that its
/// run stands under, else by its file. Runs of one file with the same target, workload and level are its rounds; those
/// of different files are only where `names.target` says that they are one target.
Result<SessionResult> importFiles(const std::vector<std::filesystem::path>& files, const ImportNames& names = {});

/// A result or the journal of one, as Lapbench wrote it, else the output of another tool.
Result<SessionResult> readAnyResult(const std::filesystem::path& path);

} // namespace lapbench
