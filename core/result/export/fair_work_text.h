#pragma once

#include "core/result/audit.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What the audit says, to stand before the tables.
struct FairWorkTold {
    bool equal = false;             ///< the targets did the same work: nothing more is to be said
    std::string headline;           ///< without a full stop
    std::vector<std::string> lines; ///< warnings and errors, the errors first
};

/// At most `mostLines` lines, then one that says how many more there are. Nothing where fewer than two targets were
/// asked.
std::optional<FairWorkTold> fairWorkTold(const FairWork& work, std::size_t mostLines = 12);

} // namespace lapbench
