#pragma once

#include "core/base/result.h"
#include "core/result/result_json.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// A JSON value in a text.
struct ForeignDocument {
    Json value;
    std::size_t line = 1; ///< where it begins
};

/// Another tool's file, made ready for the importers. A value.
struct ForeignFile {
    std::string name; ///< for problems
    /// UTF-8 without byte order mark, line ends as \n, terminal escapes taken out.
    std::string text;
    /// The JSON values in it: the whole file, several one after another, or those that begin a line of a text.
    std::vector<ForeignDocument> documents;
    /// Where a file that begins like JSON stops being it.
    std::optional<Problem> jsonProblem;
    /// Last change of the file: when the run ended at the latest.
    std::optional<UtcTime> modified;
};

/// The largest file that is read.
inline constexpr std::uintmax_t kLargestForeignFile = std::uintmax_t{128} << 20;

/// Problems: not there, no regular file, empty, larger than kLargestForeignFile, not readable, binary.
Result<ForeignFile> readForeignFile(const std::filesystem::path& path);
Result<ForeignFile> foreignFileOf(std::string name, std::string bytes);

} // namespace lapbench
