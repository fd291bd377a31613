#pragma once

#include "core/base/result.h"
#include "core/result/import/imported_run.h"

#include <string_view>

namespace lapbench {

/// What the figures of k6 mean, whichever of its outputs tells them.
Semantics k6Semantics();

/// Rows of single values, one or more a request, under the head that `--out csv` writes.
bool isK6Csv(std::string_view text);
Result<ImportedRuns> readK6Csv(std::string_view text);

} // namespace lapbench
