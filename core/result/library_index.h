#pragma once

#include "core/base/result.h"
#include "core/result/library_entry.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace lapbench {

/// Entries by the name of their file in the library's folder, ending included.
using LibraryIndex = std::map<std::string, LibraryEntry>;

/// The text of an index file. `folder` is the library's.
std::string formatLibraryIndex(const LibraryIndex& index, const std::filesystem::path& folder);

/// The inverse. Of a text that is damaged, of another version of Lapbench or of another folder there is nothing: what
/// it would have spared is read anew.
LibraryIndex parseLibraryIndex(std::string_view text, const std::filesystem::path& folder);

} // namespace lapbench
