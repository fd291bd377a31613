#include "app/cli/result_place.h"

#include "app/cli/terminal.h"
#include "core/base/clock.h"
#include "core/result/result_json.h"
#include "core/result/sha256.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// Whether a claim is this program's alone: nobody else holds it, or let go of it since it was opened.
bool isLocked(int fd, const fs::path& claim)
{
    struct stat own {
    }, named{};
    return ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &own) == 0 && ::stat(claim.c_str(), &named) == 0 &&
           own.st_ino == named.st_ino;
}

} // namespace

NewPlace::NewPlace(fs::path path, fs::path claim, OwnedFd fd)
    : m_path(std::move(path)), m_claim(std::move(claim)), m_fd(std::move(fd))
{}

NewPlace::~NewPlace()
{
    if (m_fd.open())
        ::unlink(m_claim.c_str());
}

NewPlace newResultPlace(const std::string& what, const fs::path& home)
{
    const std::string name = what + "-" + formatUtcCompact(std::chrono::system_clock::now());
    const fs::path folder = home / "results";
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    for (int number = 1;; ++number) {
        const std::string file = name + (number == 1 ? "" : "-" + std::to_string(number)) + ".lapbench.json";
        const auto isFree = [&] {
            return !fs::exists(folder / file, ignored) && !fs::exists(folder / (file + ".journal"), ignored);
        };
        if (!isFree())
            continue;
        const fs::path claim = folder / ("." + file + ".claim");
        OwnedFd fd(::open(claim.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (!fd.open()) // a folder that takes no file: whoever writes there will tell
            return {folder / file, claim, std::move(fd)};
        if (!isLocked(fd.get(), claim))
            continue;
        NewPlace place(folder / file, claim, std::move(fd));
        // Its last owner may have written there between the look and the lock.
        if (isFree())
            return place;
    }
}

Result<void> mayReplace(const fs::path& place, bool yes)
{
    std::error_code ignored;
    if (yes || !fs::exists(place, ignored))
        return {};
    if (!canAsk())
        return Problem{place.string(), "is there already", "give --yes to replace it, or another -o"};
    if (!askYesNo(place.string() + " is there already. Replace it?"))
        return Problem{place.string(), "was kept", "give another -o"};
    return {};
}

Result<fs::path> resultToResume(const Plan& plan, const fs::path& home)
{
    const std::string wanted = sha256Hex(plan.sourceJson);
    fs::path newest;
    fs::file_time_type newestTime{};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(home / "results", error)) {
        if (entry.path().extension() != ".journal")
            continue;
        const auto time = entry.last_write_time(error);
        const auto read = readResultOrJournal(entry.path());
        if (read && read.value().planSha256 == wanted && (newest.empty() || time > newestTime)) {
            newest = entry.path();
            newestTime = time;
        }
    }
    if (newest.empty())
        return Problem{"--resume", "there is no journal of this plan in " + (home / "results").string(),
                       "leave --resume out, or name the result with -o"};
    return newest.replace_extension();
}

} // namespace lapbench
