#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace lapbench {

/// Moves a file into the desktop's trash by the freedesktop.org Trash specification 1.0, with what is needed to put it
/// back: $XDG_DATA_HOME/Trash where that is on the same file system, else .Trash/UID (where an administrator made a fit
/// .Trash) or .Trash-UID at the top of the file's own one. Returns where it is now. Problem: there is no place for it,
/// and then it stays where it was. A symbolic link itself is moved.
Result<std::filesystem::path> moveToTrash(const std::filesystem::path& file);

} // namespace lapbench
