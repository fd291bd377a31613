#pragma once

#include "core/session/session.h"

#include <functional>
#include <string>

namespace lapbench {

/// "node@22.9.0, bun@1.1.30 and the packages of json-api".
std::string describe(const MissingPieces& missing);

/// Installs runtimes and packages into Lapbench's own folder. `log` gets the lines of the programs that do it.
/// Once the control stops, npm is ended and nothing half-made stays. Problems: one without a version that could be
/// fetched, an installation that failed or was stopped.
Result<void> install(const MissingPieces& missing, const SessionPlaces& places,
                     const std::function<void(const std::string&)>& log, const SessionControl& control);

} // namespace lapbench
