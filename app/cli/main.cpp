#include "app/cli/command_line.h"
#include "core/server/supervisor.h"

#include <cstring>

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], lapbench::kGuardCommand) == 0)
        return lapbench::guardMain(argc, argv);
    return lapbench::runCommandLine(argc, argv);
}
