#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lapbench {

/// SHA-256 in lower-case hex. Any thread.
std::string sha256Hex(std::string_view bytes);

/// The same of a file's content, read in pieces. Problem: unreadable.
Result<std::string> sha256HexOfFile(const std::filesystem::path& path);

} // namespace lapbench
