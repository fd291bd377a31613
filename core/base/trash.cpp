#include "core/base/trash.h"

#include "core/base/atomic_file.h"
#include "core/base/owned_fd.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr int kMostNames = 10'000;

struct Trash {
    fs::path folder;
    fs::path base; ///< paths in it are written relative to this one; empty: absolute
};

Problem noTrash(const fs::path& file, const std::string& why)
{
    return {file.string(), "cannot go to the desktop's trash: " + why, "delete it for good with --permanently"};
}

std::optional<dev_t> deviceOf(const fs::path& path)
{
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? std::optional(status.st_dev) : std::nullopt;
}

fs::path homeTrash()
{
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
        return fs::path(data) / "Trash";
    const char* home = std::getenv("HOME");
    const passwd* entry = home != nullptr && *home == '/' ? nullptr : ::getpwuid(::getuid());
    return fs::path(entry != nullptr ? entry->pw_dir : home != nullptr ? home : "/") / ".local/share/Trash";
}

/// The nearest folder above that is there.
fs::path existing(fs::path folder)
{
    std::error_code ignored;
    while (!fs::exists(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    return folder;
}

fs::path topOfMount(const fs::path& file, dev_t device)
{
    fs::path top = file.parent_path();
    while (top.has_relative_path() && deviceOf(top.parent_path()) == device)
        top = top.parent_path();
    return top;
}

/// Whether what an administrator made at a mount's top may be used: a folder with the sticky bit, and no link.
bool isFitSharedTrash(const fs::path& folder)
{
    struct stat status {};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
}

bool isOwnFolder(const fs::path& folder)
{
    struct stat status {};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid();
}

bool makePrivateFolders(const fs::path& folder)
{
    std::error_code error;
    if (fs::is_directory(folder, error))
        return true;
    if (folder.has_relative_path() && !makePrivateFolders(folder.parent_path()))
        return false;
    return ::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST;
}

Result<Trash> trashFor(const fs::path& file)
{
    const auto device = deviceOf(file);
    if (!device)
        return noTrash(file, std::strerror(errno));
    Trash trash{homeTrash(), {}};
    if (deviceOf(existing(trash.folder)) != device) {
        trash.base = topOfMount(file, *device);
        const std::string uid = std::to_string(::getuid());
        const fs::path shared = trash.base / ".Trash";
        trash.folder = isFitSharedTrash(shared) && makePrivateFolders(shared / uid) ? shared / uid
                                                                                    : trash.base / (".Trash-" + uid);
    }
    if (!makePrivateFolders(trash.folder / "files") || !makePrivateFolders(trash.folder / "info"))
        return noTrash(file, trash.folder.string() + " cannot be made: " + std::strerror(errno));
    if (!trash.base.empty() && !isOwnFolder(trash.folder))
        return noTrash(file, trash.folder.string() + " is not yours");
    return trash;
}

/// As in a URI: everything but what RFC 2396 leaves as it is, "/" included.
std::string escaped(const std::string& path)
{
    constexpr std::string_view kPlain = "/-_.!~*'()";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           kPlain.find(c) != std::string_view::npos;
        text += plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return text;
}

std::string infoText(const Trash& trash, const fs::path& file)
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 32> date;
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &local);
    const fs::path path = trash.base.empty() ? file : file.lexically_relative(trash.base);
    return "[Trash Info]\nPath=" + escaped(path.string()) + "\nDeletionDate=" + date.data() + "\n";
}

/// "a.json", "a.2.json": the names that a file may have in the trash.
std::string nameNumber(const fs::path& file, int number)
{
    return number == 1 ? file.filename().string()
                       : file.stem().string() + "." + std::to_string(number) + file.extension().string();
}

} // namespace

Result<fs::path> moveToTrash(const fs::path& named)
{
    fs::path file = fs::absolute(named).lexically_normal();
    std::error_code error;
    if (const fs::path folder = fs::canonical(file.parent_path(), error); !error)
        file = folder / file.filename();
    const auto trash = trashFor(file);
    if (!trash)
        return trash.problem();
    const fs::path& folder = trash.value().folder;
    const std::string text = infoText(trash.value(), file);
    for (int number = 1; number <= kMostNames; ++number) {
        const std::string name = nameNumber(file, number);
        const fs::path info = folder / "info" / (name + ".trashinfo"), target = folder / "files" / name;
        // Whoever makes the info file has the name.
        const OwnedFd fd(::open(info.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!fd.open() && errno == EEXIST)
            continue;
        if (!fd.open())
            return noTrash(file, std::strerror(errno));
        const bool written = ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
        const bool taken = fs::exists(fs::symlink_status(target, error));
        const auto moved = written && !taken ? moveWithoutReplacing(file, target)
                                             : Result<void>(Problem{"", std::strerror(errno), ""});
        if (moved)
            return target;
        ::unlink(info.c_str());
        if (!taken)
            return noTrash(file, moved.problem().message);
    }
    return noTrash(file, "every name for it is taken there");
}

} // namespace lapbench
