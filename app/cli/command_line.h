#pragma once

namespace lapbench {

/// Reads the command line, runs the subcommand, and returns the exit code of the program.
int runCommandLine(int argc, char** argv);

} // namespace lapbench
