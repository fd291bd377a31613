#include "app/cli/result_place.h"

#include "app/cli/terminal.h"
#include "core/base/clock.h"
#include "core/result/result_json.h"
#include "core/result/sha256.h"

namespace lapbench {

namespace fs = std::filesystem;

fs::path newResultPlace(const std::string& what, const fs::path& home)
{
    const std::string name = what + "-" + formatUtcCompact(std::chrono::system_clock::now());
    std::error_code ignored;
    for (int number = 1;; ++number) {
        const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
        fs::path place = home / "results" / (name + suffix + ".lapbench.json");
        if (!fs::exists(place, ignored) && !fs::exists(place.string() + ".journal", ignored))
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
