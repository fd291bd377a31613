#include "app/cli/command_line.h"
#include "core/server/supervisor.h"

#include <fcntl.h>

#include <cstring>

namespace {

/// A standard descriptor that is closed would be given to the next file that is opened, and what is printed would land
/// in it. Opened the wrong way round, reading and writing still fail.
void holdStandardDescriptors()
{
    for (const int fd : {0, 1, 2})
        if (::fcntl(fd, F_GETFD) < 0)
            ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

} // namespace

int main(int argc, char** argv)
{
    holdStandardDescriptors();
    if (argc > 1 && std::strcmp(argv[1], lapbench::kGuardCommand) == 0)
        return lapbench::guardMain(argc, argv);
    return lapbench::runCommandLine(argc, argv);
}
