#pragma once

#include "core/result/session_result.h"

#include <string>

namespace lapbench {

/// What a session is called: the title of its plan, else its name, else by what it was measured.
std::string titleOf(const SessionResult& result);

/// Title, tables and notes as text for a terminal or as Markdown.
std::string comparisonAsText(const SessionResult& result);
std::string comparisonAsMarkdown(const SessionResult& result);

} // namespace lapbench
