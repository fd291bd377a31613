#include "core/host/host_facts.h"

#include "core/base/units.h"
#include "core/host/system_files.h"

#include <sched.h>
#include <sys/resource.h>

#include <fstream>

namespace lapbench {

namespace {

// What a measurement wants of a machine. A connection takes a descriptor and, on this side, a port.
constexpr std::uint64_t kFewDescriptors = 1'100;   ///< 1000 connections and some files
constexpr std::uint64_t kGoodDescriptors = 10'500; ///< 10,000 connections
constexpr double kBusyLoad = 0.25;                 ///< load average for each processor
constexpr double kOverloaded = 1.0;
constexpr std::uint64_t kLittleMemory = 1'000'000'000;
constexpr std::uint64_t kTooLittleMemory = 300'000'000;
constexpr unsigned kFewPorts = 10'000;

DoctorFinding unknown(const std::string& code, const std::string& what)
{
    return {code, "info", what + " is not known on this machine", ""};
}

DoctorFinding judgeDescriptors(const HostFacts& facts)
{
    if (!facts.descriptorsSoft || !facts.descriptorsHard)
        return unknown("descriptors", "the descriptor limit");
    // Lapbench raises its own limit to the hard one, so that is what counts.
    const std::uint64_t limit = *facts.descriptorsHard;
    DoctorFinding finding{"descriptors", "ok",
                          "up to " + std::to_string(limit) + " open files and connections are allowed", ""};
    if (limit >= kGoodDescriptors)
        return finding;
    finding.severity = limit < kFewDescriptors ? "error" : "warning";
    finding.text = "only " + std::to_string(limit) + " open files and connections are allowed";
    finding.cure = "raise the hard limit: ulimit -Hn 65536 as root, or nofile in /etc/security/limits.conf";
    return finding;
}

DoctorFinding judgeGovernor(const HostFacts& facts)
{
    if (!facts.governor)
        return unknown("governor", "the frequency governor of the processor (a virtual machine has none)");
    DoctorFinding finding{"governor", "ok", "the processor's frequency governor is " + *facts.governor, ""};
    if (*facts.governor != "performance") {
        finding.severity = "warning";
        finding.cure = "set it while measuring: cpupower frequency-set -g performance";
    }
    return finding;
}

DoctorFinding judgeLoad(const HostFacts& facts)
{
    if (!facts.loadAverage || !facts.cpus || *facts.cpus == 0)
        return unknown("load", "the load of the machine");
    const double each = *facts.loadAverage / *facts.cpus;
    DoctorFinding finding{"load", "ok",
                          "the load average of the last minute is " + formatSignificant(*facts.loadAverage) + " on " +
                              formatCounted(*facts.cpus, "processor"),
                          ""};
    if (each >= kBusyLoad) {
        finding.severity = each >= kOverloaded ? "error" : "warning";
        finding.cure = "end other programs, or wait until the machine is quiet";
    }
    return finding;
}

DoctorFinding judgeMemory(const HostFacts& facts)
{
    if (!facts.freeMemoryBytes)
        return unknown("memory", "the free memory");
    const std::uint64_t free = *facts.freeMemoryBytes;
    DoctorFinding finding{"memory", "ok", formatBytes(static_cast<double>(free)) + " of memory are free", ""};
    if (facts.memoryBytes)
        finding.text = formatBytes(static_cast<double>(free)) + " of " +
                       formatBytes(static_cast<double>(*facts.memoryBytes)) + " of memory are free";
    if (free < kLittleMemory) {
        finding.severity = free < kTooLittleMemory ? "error" : "warning";
        finding.cure = "end other programs: a machine that swaps measures its disk";
    }
    return finding;
}

DoctorFinding judgePorts(const HostFacts& facts)
{
    if (!facts.firstPort || !facts.lastPort || *facts.lastPort < *facts.firstPort)
        return unknown("ports", "the range of local ports");
    const unsigned ports = *facts.lastPort - *facts.firstPort + 1;
    DoctorFinding finding{"ports", "ok",
                          std::to_string(ports) + " local ports (" + std::to_string(*facts.firstPort) + " to " +
                              std::to_string(*facts.lastPort) + ") are there for outgoing connections",
                          ""};
    if (ports < kFewPorts) {
        finding.severity = "warning";
        finding.cure = "widen the range: sysctl net.ipv4.ip_local_port_range='15000 60999'";
    }
    return finding;
}

} // namespace

HostFacts readHostFacts(const std::filesystem::path& procRoot, const std::filesystem::path& sysRoot)
{
    HostFacts facts;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        facts.descriptorsSoft = limit.rlim_cur;
        facts.descriptorsHard = limit.rlim_max;
    }
    facts.governor = firstLine(sysRoot / "devices/system/cpu/cpu0/cpufreq/scaling_governor");
    double load = 0;
    if (std::ifstream(procRoot / "loadavg") >> load)
        facts.loadAverage = load;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        facts.cpus = static_cast<unsigned>(CPU_COUNT(&allowed));
    facts.memoryBytes = memoryLine(procRoot, "MemTotal:");
    facts.freeMemoryBytes = memoryLine(procRoot, "MemAvailable:");
    unsigned first = 0, last = 0;
    if (std::ifstream(procRoot / "sys/net/ipv4/ip_local_port_range") >> first >> last) {
        facts.firstPort = first;
        facts.lastPort = last;
    }
    return facts;
}

std::vector<DoctorFinding> judgeHost(const HostFacts& facts)
{
    return {judgeDescriptors(facts), judgeGovernor(facts), judgeLoad(facts), judgeMemory(facts), judgePorts(facts)};
}

} // namespace lapbench
