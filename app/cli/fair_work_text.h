#pragma once

#include "core/result/audit.h"

#include <string>

namespace lapbench {

/// What the audit says, to stand before the tables: one line where the targets did the same work, else the warnings and
/// errors a line each. `titleMark` and `itemMark` begin a heading and a line ("## ", "- "). Ends with an empty line;
/// empty where fewer than two targets were asked.
std::string fairWorkText(const FairWork& work, const std::string& titleMark, const std::string& itemMark);

} // namespace lapbench
