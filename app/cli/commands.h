#pragma once

#include "app/cli/exit_code.h"
#include "core/session/session.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace lapbench {

/// What the chosen subcommand does, once the command line has been read without a fault.
using Body = std::function<ExitCode()>;

/// Each adds one subcommand to `app`, and sets `body` when it is the one that was given. `places` and `body` outlive
/// the app.
void addRun(CLI::App& app, const SessionPlaces& places, Body& body);
void addLoad(CLI::App& app, const SessionPlaces& places, Body& body);
void addCheck(CLI::App& app, const SessionPlaces& places, Body& body);
void addPlans(CLI::App& app, const SessionPlaces& places, Body& body);
void addFields(CLI::App& app, const SessionPlaces& places, Body& body);
void addShow(CLI::App& app, const SessionPlaces& places, Body& body);
void addCompare(CLI::App& app, const SessionPlaces& places, Body& body);
void addExport(CLI::App& app, const SessionPlaces& places, Body& body);
void addImport(CLI::App& app, const SessionPlaces& places, Body& body);
void addMerge(CLI::App& app, const SessionPlaces& places, Body& body);
void addResults(CLI::App& app, const SessionPlaces& places, Body& body);
void addRuntimes(CLI::App& app, const SessionPlaces& places, Body& body);
void addCalibrate(CLI::App& app, const SessionPlaces& places, Body& body);
void addDoctor(CLI::App& app, const SessionPlaces& places, Body& body);
void addServe(CLI::App& app, const SessionPlaces& places, Body& body);

} // namespace lapbench
