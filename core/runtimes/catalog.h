#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// An executable that runs servers, at one exact version.
struct Runtime {
    std::string kind;    ///< "node", "deno" or "bun"
    std::string version; ///< bare: "22.9.0"
    std::filesystem::path program;
    bool installed = false;      ///< in Lapbench's own folder (else found on PATH)
    std::uint64_t sizeBytes = 0; ///< of the folder, installed ones only
};

/// "KIND@VERSION", as in `runtimes install node@22.9.0`. Problems: unknown kind (with the nearest), no exact version.
struct RuntimeName {
    std::string kind, version;
};
Result<RuntimeName> parseRuntimeName(std::string_view text);

/// Node, Deno and Bun on PATH, with the version each prints itself. A program that answers no version is left out.
std::vector<Runtime> findOnPath();

/// Pinned versions side by side under `home/runtimes/KIND@VERSION`, and the npm packages of apps under `home/apps`.
/// One thread; two Lapbench processes may install at once (the finished folder is renamed into place).
class NpmStore {
public:
    explicit NpmStore(const std::filesystem::path& home);

    std::vector<Runtime> installed() const;
    std::optional<Runtime> find(std::string_view kind, std::string_view version) const;

    /// Installs with npm, checks `--version`, and renames into place. Nothing half-made stays. `log` gets npm's lines.
    /// `stop` breaks it off. Problems: no npm, no such version, no network (with npm's own last lines).
    Result<Runtime> install(const RuntimeName& name, const std::function<void(const std::string&)>& log,
                            const std::atomic<bool>* stop = nullptr);
    Result<void> remove(const RuntimeName& name);

    /// `npm ci --ignore-scripts` of an app's package.json and lock file into `home/apps/NAME-HASH`; the app's files are
    /// copied beside its node_modules. Returns that folder; nothing is done where it is already there.
    Result<std::filesystem::path> prepareApp(const std::filesystem::path& appFolder,
                                             const std::function<void(const std::string&)>& log,
                                             const std::atomic<bool>* stop = nullptr);
    /// Whether prepareApp would have nothing to do.
    bool appIsPrepared(const std::filesystem::path& appFolder) const;

private:
    std::filesystem::path m_home;
};

} // namespace lapbench
