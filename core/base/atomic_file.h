#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lapbench {

/// Replaces `path` by `content` in one step: a temporary file beside it, fsync, rename, fsync of the folder. On a
/// problem the old file is untouched and no temporary file stays. A device, a pipe or a folder is refused. Mode 0600
/// unless told otherwise.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content, unsigned mode = 0600);

/// Whether writeFileAtomically(path) could work now: the folder exists (it is made if asked), takes a new file, and
/// `path` is no folder and no device. Leaves nothing behind but the folders it made.
Result<void> checkDestination(const std::filesystem::path& path, bool makeFolders = false);

/// Makes sure that the files that were put into a folder are still in it after a power cut.
void syncFolder(const std::filesystem::path& folder);

/// Gives a file another name on the same file system, and never in the place of something that is there already: that
/// is a problem, and then both stay as they were.
Result<void> moveWithoutReplacing(const std::filesystem::path& from, const std::filesystem::path& to);

/// The whole content of a regular file of at most `maxBytes` bytes; larger, unreadable or no regular file is a problem.
Result<std::string> readFile(const std::filesystem::path& path, std::uint64_t maxBytes = 512ull << 20);

} // namespace lapbench
