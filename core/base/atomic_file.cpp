#include "core/base/atomic_file.h"

#include "core/base/owned_fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

Problem writeProblem(const fs::path& path, int error)
{
    return {path.string(), std::string("cannot be written: ") + std::strerror(error),
            "choose another place or free this one"};
}

/// A rename would put a file in the place of a device, a pipe or a folder.
std::optional<Problem> unfitTarget(const fs::path& path)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status))
        return writeProblem(path, EISDIR);
    if (fs::exists(status) && !fs::is_regular_file(status))
        return Problem{path.string(), "is no regular file and would be replaced by one", "name a file"};
    return std::nullopt;
}

fs::path folderOf(const fs::path& path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Where a file begins before it is renamed into its place: mkostemp fills in the rest.
std::string temporaryName(const fs::path& path)
{
    return (folderOf(path) / ("." + path.filename().string() + ".XXXXXX")).string();
}

bool writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

void syncFolder(const fs::path& folder)
{
    const OwnedFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.open())
        ::fsync(fd.get());
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content, unsigned mode)
{
    if (const auto unfit = unfitTarget(path))
        return *unfit;
    std::string name = temporaryName(path);
    OwnedFd fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!fd.open())
        return writeProblem(path, errno);
    const auto giveUp = [&](int error) {
        ::unlink(name.c_str());
        return writeProblem(path, error);
    };
    if (::fchmod(fd.get(), mode) != 0 || !writeAll(fd.get(), content) || ::fsync(fd.get()) != 0)
        return giveUp(errno);
    if (::close(fd.release()) != 0)
        return giveUp(errno);
    if (::rename(name.c_str(), path.c_str()) != 0)
        return giveUp(errno);
    syncFolder(folderOf(path));
    return {};
}

Result<void> checkDestination(const fs::path& path, bool makeFolders)
{
    std::error_code error;
    if (path.empty() || !path.has_filename())
        return Problem{path.string(), "is not a file name", "name a file"};
    if (const auto unfit = unfitTarget(path))
        return *unfit;
    const fs::path folder = folderOf(path);
    if (makeFolders) {
        fs::create_directories(folder, error);
        if (error)
            return writeProblem(path, error.value());
    }
    std::string name = temporaryName(path);
    const OwnedFd fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!fd.open())
        return writeProblem(path, errno);
    ::unlink(name.c_str());
    return {};
}

Result<void> moveWithoutReplacing(const fs::path& from, const fs::path& to)
{
    int failed = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    // Not every file system knows the flag; a second link is refused where the name is taken, too.
    if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) {
        failed = ::link(from.c_str(), to.c_str());
        if (failed == 0)
            ::unlink(from.c_str());
    }
    if (failed != 0 && errno == EEXIST)
        return Problem{to.string(), "is there already", "choose another name"};
    if (failed != 0)
        return Problem{from.string(), "cannot become " + to.string() + ": " + std::strerror(errno),
                       "choose another name or place"};
    syncFolder(folderOf(to));
    return {};
}

Result<std::string> readFile(const fs::path& path, std::uint64_t maxBytes)
{
    const auto problem = [&](const std::string& why) {
        return Problem{path.string(), "cannot be read: " + why, "check the name and its permissions"};
    };
    const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.open())
        return problem(std::strerror(errno));
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0)
        return problem(std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        return problem("it is no regular file");
    if (static_cast<std::uint64_t>(status.st_size) > maxBytes)
        return Problem{path.string(), "is larger than " + std::to_string(maxBytes >> 20) + " MiB",
                       "name a smaller file"};
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < content.size()) {
        const ssize_t got = ::read(fd.get(), content.data() + have, content.size() - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return problem(std::strerror(errno));
        if (got == 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    content.resize(have);
    return content;
}

} // namespace lapbench
