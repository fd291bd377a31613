#pragma once

#include "core/result/compare_results.h"

#include <string>
#include <vector>

namespace lapbench {

/// Other tools name no workload and tell little of the load. So before results are compared, each imported one is put
/// beside the first of Lapbench's own (where there is none, beside the first one): a workload takes the name of the one
/// that asks for the same, or of the only one where both have only one; connections or a rate that are not told are
/// taken from the only level there is. `notes` get a sentence for each thing taken so.
std::vector<NamedResult> alignImported(const std::vector<NamedResult>& results, std::vector<std::string>& notes);

/// Whether no trial of it was measured by Lapbench.
bool isImported(const SessionResult& result);
/// Whether `created` is when it was measured: of what another tool measured it may only be when its file was written.
bool tellsItsTime(const SessionResult& result);

} // namespace lapbench
