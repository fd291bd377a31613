#include "core/server/supervisor.h"

#include <cstdio>
#include <string_view>

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == lapbench::kGuardCommand)
        return lapbench::guardMain(argc, argv);
    std::puts("lapbench-cli");
    return 0;
}
