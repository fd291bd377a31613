#include "core/host/system_files.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace lapbench {

namespace fs = std::filesystem;

std::optional<std::string> firstLine(const fs::path& path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line.empty())
        return std::nullopt;
    return line;
}

std::optional<std::uint64_t> readCount(const fs::path& path)
{
    std::uint64_t count = 0;
    if (std::ifstream(path) >> count)
        return count;
    return std::nullopt;
}

std::optional<std::uint64_t> readNamed(const fs::path& path, std::string_view name)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        std::uint64_t count = 0;
        if (words >> word && word == name && words >> count)
            return count;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> memoryLine(const fs::path& procRoot, std::string_view name)
{
    const auto kilobytes = readNamed(procRoot / "meminfo", name);
    if (!kilobytes)
        return std::nullopt;
    return *kilobytes * 1024;
}

std::optional<ProcessorTimes> readProcessorTimes(const fs::path& procRoot)
{
    std::ifstream file(procRoot / "stat");
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    std::istringstream words(line);
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, steal = 0;
    if (!(words >> name >> user >> nice >> system >> idle >> waiting >> hard >> soft >> steal) || name != "cpu")
        return std::nullopt;
    const double secondsPerTick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    ProcessorTimes times;
    times.busy = (user + nice + system) * secondsPerTick;
    times.interrupts = (hard + soft) * secondsPerTick;
    times.steal = steal * secondsPerTick;
    times.all = times.busy + times.interrupts + times.steal + (idle + waiting) * secondsPerTick;
    while (std::getline(file, line) && line.starts_with("cpu"))
        ++times.processors;
    return times;
}

std::optional<std::uint64_t> readNetCounter(const fs::path& path, std::string_view group, std::string_view name)
{
    std::ifstream file(path);
    for (std::string names, values; std::getline(file, names) && std::getline(file, values);) {
        if (!names.starts_with(group))
            continue;
        std::istringstream nameWords(names), valueWords(values);
        for (std::string word, value; nameWords >> word && valueWords >> value;)
            if (std::uint64_t count = 0; word == name && std::istringstream(value) >> count)
                return count;
    }
    return std::nullopt;
}

} // namespace lapbench
