#pragma once

namespace lapbench {

/// How lapbench-cli ends; scripts rely on the numbers.
enum class ExitCode : int {
    done = 0,
    nothingMeasured = 1, ///< the server did not start, all requests failed
    badInput = 2,        ///< wrong usage, plan or input file
    warnings = 3,        ///< done, with warnings, under --strict
    unwritable = 4,      ///< the destination cannot be written
    interrupted = 130    ///< what was measured is saved
};

} // namespace lapbench
