#pragma once

#include "core/runtimes/catalog.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

inline constexpr std::array<std::string_view, 3> kRuntimeKinds = {"node", "deno", "bun"};

/// Where a runtime comes from: an npm package for this machine, and the executable in it.
struct RuntimePackage {
    std::string name;
    std::filesystem::path program; ///< relative to the package's folder
};
/// Problem: no package for this kind of processor.
Result<RuntimePackage> packageFor(std::string_view kind);

/// "v22.9.0", "deno 2.0.2 (stable, ..)", "1.1.30" -> the bare version; empty where there is none.
std::string versionIn(std::string_view text);

/// What `program --version` says, in bare form. Problems: it cannot be run, fails, or takes longer than ten seconds.
Result<std::string> versionOf(const std::filesystem::path& program);

} // namespace lapbench
