#pragma once

#include "core/plan/plan.h"
#include "core/result/session_result.h"

#include <filesystem>

namespace lapbench {

/// A saved session as the window shows it.
struct OpenedResult {
    SessionResult result;
    Plan plan;  ///< as it could be run again, with the targets and rounds that were asked for beside it
    Plan shown; ///< as it was run: scaled, with its control
};

/// `folder` is the result's, to which names in its plan are relative.
OpenedResult openedResult(SessionResult result, const std::filesystem::path& folder);

} // namespace lapbench
