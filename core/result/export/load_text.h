#pragma once

#include "core/plan/plan.h"

#include <string>

namespace lapbench {

// What a plan asks for, in whole sentences.

/// "Each target was asked for GET /users/42; right was an answer with the status 200 and 1230 bytes."
std::string workloadText(const Plan& plan);
/// "At 256 connections, each of which sent its next request when it had its answer (a closed loop)."
std::string hardnessText(const Plan& plan);
/// "A window took 30 s after a warm-up of 10 s, with 1 s between trials."
std::string windowText(const Plan& plan);

} // namespace lapbench
