#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <filesystem>
#include <string>

namespace lapbench {

/// What to do with a file that is opened or dropped.
enum class FileKind {
    plan,   ///< also a name that is no file, as that of a shipped plan
    result, ///< or a journal, or the output of another tool
    picture ///< which may carry a result
};

/// By the file's ending or else by how it begins.
FileKind fileKind(const std::filesystem::path& path);

/// A result, a journal, a picture that carries a result, or the output of another tool. Problems name the file.
Result<SessionResult> readResultFile(const std::filesystem::path& path);

/// What to save as a result of its own: a result's or journal's bytes as they are, else what was read, as a result.
Result<std::string> resultFileText(const std::filesystem::path& path);

} // namespace lapbench
