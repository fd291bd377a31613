#include "core/runtimes/store_folder.h"

#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr int kLockPollMs = 100;
constexpr std::string_view kPackagesFolder = "node_modules";

Problem folderProblem(const fs::path& path, const std::string& why)
{
    return {path.string(), "cannot be used: " + why, "check its permissions and the free space"};
}

/// Relative names of all regular files below, sorted.
Result<std::vector<fs::path>> filesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        if (at->is_directory(error) && at->path().filename() == kPackagesFolder)
            at.disable_recursion_pending();
        else if (at->is_regular_file(error))
            files.push_back(at->path().lexically_relative(folder));
    }
    if (error)
        return folderProblem(folder, error.message());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

Result<FolderLock> FolderLock::take(const fs::path& folder, const std::function<void(const std::string&)>& log,
                                    const std::atomic<bool>* stop)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return folderProblem(folder, error.message());
    OwnedFd fd(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.open())
        return folderProblem(folder, std::strerror(errno));
    for (bool told = false; ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return folderProblem(folder, std::strerror(errno));
        if (stop && stop->load())
            return Problem{folder.string(), "the installation was stopped", ""};
        if (!told && log)
            log("waiting for another Lapbench that installs into " + folder.string());
        told = true;
        ::poll(nullptr, 0, kLockPollMs);
    }
    return FolderLock(std::move(fd));
}

Result<ScratchFolder> ScratchFolder::make(const fs::path& path)
{
    std::error_code error;
    fs::remove_all(path, error);
    if (!error)
        fs::create_directories(path, error);
    if (error)
        return folderProblem(path, error.message());
    return ScratchFolder(path);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : m_path(std::move(other.m_path))
{
    other.m_path.clear();
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

std::uint64_t folderBytes(const fs::path& folder)
{
    std::uint64_t sum = 0;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        std::error_code gone;
        if (at->is_regular_file(gone) && !at->is_symlink(gone))
            sum += at->file_size(gone);
    }
    return sum;
}

Result<std::string> folderHash(const fs::path& folder)
{
    const auto files = filesBelow(folder);
    if (!files)
        return files.problem();
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
    // Each piece with its length before it, so that no two folders give the same stream.
    const auto add = [&](std::string_view piece) {
        const std::string size = std::to_string(piece.size()) + ":";
        EVP_DigestUpdate(context.get(), size.data(), size.size());
        EVP_DigestUpdate(context.get(), piece.data(), piece.size());
    };
    for (const fs::path& name : files.value()) {
        const auto content = readFile(folder / name);
        if (!content)
            return content.problem();
        add(name.native());
        add(content.value());
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &size);
    std::string hex;
    for (unsigned i = 0; i < size; ++i)
        for (const int shift : {4, 0})
            hex += "0123456789abcdef"[(digest[i] >> shift) & 15];
    return hex;
}

Result<void> copyFolder(const fs::path& from, const fs::path& to)
{
    const auto files = filesBelow(from);
    if (!files)
        return files.problem();
    for (const fs::path& name : files.value()) {
        std::error_code error;
        fs::create_directories((to / name).parent_path(), error);
        if (!error)
            fs::copy_file(from / name, to / name, error);
        if (error)
            return folderProblem(to / name, error.message());
    }
    return {};
}

} // namespace lapbench
