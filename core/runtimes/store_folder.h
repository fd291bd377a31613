#pragma once

#include "core/base/owned_fd.h"
#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lapbench {

/// The right to change a folder that several Lapbench processes share, for as long as this object, or a child that
/// inherited its descriptor, lives.
class FolderLock {
public:
    /// Makes the folder where it is missing and waits for the lock; `log` is told when another one has it.
    static Result<FolderLock> take(const std::filesystem::path& folder,
                                   const std::function<void(const std::string&)>& log, const std::atomic<bool>* stop);

    int fd() const { return m_fd.get(); }

private:
    explicit FolderLock(OwnedFd fd) : m_fd(std::move(fd)) {}
    OwnedFd m_fd;
};

/// Removes a folder when it goes out of scope: nothing half-made stays.
class ScratchFolder {
public:
    /// An empty folder; what an interrupted run left under that name goes.
    static Result<ScratchFolder> make(const std::filesystem::path& path);
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit ScratchFolder(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path m_path;
};

/// Bytes of all regular files below.
std::uint64_t folderBytes(const std::filesystem::path& folder);

/// SHA-256 in hex over the names and contents of all files below, node_modules left out.
Result<std::string> folderHash(const std::filesystem::path& folder);

/// Copies all files below, node_modules left out, into an existing folder.
Result<void> copyFolder(const std::filesystem::path& from, const std::filesystem::path& to);

} // namespace lapbench
