#pragma once

#include "app/cli/result_source.h"
#include "core/result/export/chart_picture.h"

#include <atomic>
#include <filesystem>

namespace lapbench {

/// What the desktop app is to draw.
struct ChartWish {
    bool dark = false; ///< the dark ones too
    bool png = false;  ///< of the light ones, at twice the size
};

/// Where the desktop app is: beside lapbench-cli as it is installed or built, else on PATH; empty where there is none.
std::filesystem::path desktopApp(const std::filesystem::path& cli);

/// The charts of a result, drawn by the desktop app within two minutes; where it is not there or fails, none and the
/// reason. Never a problem. `cli` is the path of lapbench-cli. Once `stop` is set, the app is ended and what was drawn
/// so far is cleared away.
Charts drawCharts(const std::filesystem::path& cli, const ResultSource& source, const ChartWish& wish,
                  const std::atomic<bool>& stop);

} // namespace lapbench
