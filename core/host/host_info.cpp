#include "core/host/host_info.h"

#include "core/base/processors.h"
#include "core/host/affinity.h"
#include "core/host/condition_findings.h"
#include "core/host/conditions.h"
#include "core/host/host_facts.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <utility>

namespace lapbench {

namespace {

/// The value of the first line that starts with `name`, behind `mark`, without quotes.
std::string valueOf(const char* path, const std::string& name, char mark)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find(mark);
        if (!line.starts_with(name) || at == std::string::npos)
            continue;
        const std::size_t from = line.find_first_not_of(" \t\"", at + 1);
        const std::size_t to = line.find_last_not_of(" \t\"");
        return from == std::string::npos || to < from ? std::string() : line.substr(from, to - from + 1);
    }
    return {};
}

} // namespace

HostInfo readHostInfo()
{
    HostInfo info;
    utsname system{};
    if (::uname(&system) == 0) {
        info.hostname = system.nodename;
        info.kernel = std::string(system.sysname) + " " + system.release;
        info.architecture = system.machine;
    }
    info.os = valueOf("/etc/os-release", "PRETTY_NAME=", '=');
    info.cpuModel = valueOf("/proc/cpuinfo", "model name", ':');
    const HostFacts facts = readHostFacts("/proc", "/sys");
    info.cpus = facts.cpus;
    info.memoryBytes = facts.memoryBytes;
    info.governor = facts.governor;
    info.root = ::geteuid() == 0;
    return info;
}

std::vector<DoctorFinding> examineHost()
{
    const HostFacts facts = readHostFacts("/proc", "/sys");
    std::vector<DoctorFinding> findings = judgeHost(facts);
    for (DoctorFinding& finding : judgeConditions(readConditions(), facts.cpus))
        findings.push_back(std::move(finding));
    findings.push_back(judgeAffinity(proposeAffinity(readTopology(), allowedProcessors())));
    return findings;
}

std::uint64_t raiseDescriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (limit.rlim_cur < limit.rlim_max && ::setrlimit(RLIMIT_NOFILE, &raised) == 0)
        return raised.rlim_cur;
    return limit.rlim_cur;
}

} // namespace lapbench
