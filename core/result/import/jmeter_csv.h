#pragma once

#include "core/base/result.h"
#include "core/result/import/imported_run.h"

#include <string_view>

namespace lapbench {

/// A JTL as rows, with a head that names its columns in any order, or without one. Another head begins another run.
bool isJmeterCsv(std::string_view text);
Result<ImportedRuns> readJmeterCsv(std::string_view text);

} // namespace lapbench
