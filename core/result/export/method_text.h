#pragma once

#include "core/result/session_result.h"

#include <string>
#include <vector>

namespace lapbench {

/// How a session was measured, in paragraphs of whole sentences, from its plan, its machine and its trials: what was
/// asked for and what counted as right, how hard, for how long, in which order, by which generator, on which machine.
/// Of other tools' results it says what is known.
std::vector<std::string> methodParagraphs(const SessionResult& result);

/// What the figures do not show, a sentence each: comparisons without a verdict, few rounds, what was not measured.
std::vector<std::string> untold(const SessionResult& result);

/// What repeats it, from the folder that has the plan: "lapbench-cli run x.plan.json --scale 0.2". Empty where there is
/// no plan.
std::string repeatCommand(const SessionResult& result, const std::string& planFile);

/// The plan as a file of its own: indented JSON; empty where there is none.
std::string planText(const SessionResult& result);

} // namespace lapbench
