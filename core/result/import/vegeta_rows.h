#pragma once

#include "core/result/import/formats.h"

namespace lapbench {

inline constexpr std::string_view kVegeta = "vegeta";

/// What is the same in all forms of vegeta's output.
Semantics vegetaSemantics(std::string_view form);

/// `encode --to csv` and the table of the hdrplot report.
void addVegetaRows(Formats& formats);

} // namespace lapbench
