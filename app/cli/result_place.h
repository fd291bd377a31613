#pragma once

#include "core/base/owned_fd.h"
#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <string>

namespace lapbench {

/// A place that nobody else who asks for one gets while this object lives: of the programs that begin in the same
/// second, each has its own. Owns a file beside the place that goes with it. One thread.
class NewPlace {
public:
    NewPlace(std::filesystem::path path, std::filesystem::path claim, OwnedFd fd);
    NewPlace(NewPlace&&) noexcept = default;
    NewPlace& operator=(NewPlace&&) = delete;
    ~NewPlace();

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path, m_claim;
    OwnedFd m_fd; ///< of the claim, locked; closed where none could be made
};

/// Where a result goes when -o does not say: HOME/results/NAME-UTC.lapbench.json, not there yet. Makes the folder.
NewPlace newResultPlace(const std::string& name, const std::filesystem::path& home);

/// Whether a result may be written to `place`: nothing is there, or `yes`, or who is asked on the terminal says yes.
Result<void> mayReplace(const std::filesystem::path& place, bool yes);

/// The result whose journal is the newest of this very plan under HOME/results. Problems: there is none.
Result<std::filesystem::path> resultToResume(const Plan& plan, const std::filesystem::path& home);

} // namespace lapbench
