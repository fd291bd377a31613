#include "core/session/calibration.h"

#include "core/base/atomic_file.h"
#include "core/base/units.h"
#include "core/net/curl_version.h"
#include "core/plan/words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lapbench {

namespace {

constexpr double kNear = 0.85;
constexpr double kServerBusy = 0.90;

std::optional<TransportKind> measuredTransport(std::string_view name)
{
    for (const TransportKind kind : {TransportKind::keepAlive, TransportKind::curl})
        if (nameOf(kind) == name)
            return kind;
    return std::nullopt;
}

unsigned distance(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/// The entries of a transport at the measured number of threads nearest to `threads`, by connections. Of two that are
/// equally near the smaller wins.
std::vector<CalibrationEntry> curveFor(const Calibration& calibration, TransportKind transport, unsigned threads)
{
    std::vector<CalibrationEntry> curve;
    for (const CalibrationEntry& entry : calibration.entries) {
        if (entry.transport != transport)
            continue;
        if (!curve.empty() && entry.threads != curve.front().threads) {
            const unsigned kept = distance(curve.front().threads, threads), now = distance(entry.threads, threads);
            if (now > kept || (now == kept && entry.threads > curve.front().threads))
                continue;
            curve.clear();
        }
        curve.push_back(entry);
    }
    std::sort(curve.begin(), curve.end(),
              [](const CalibrationEntry& a, const CalibrationEntry& b) { return a.connections < b.connections; });
    return curve;
}

std::string sentence(double rps, const Ceiling& ceiling)
{
    const std::string percent = formatSignificant(100 * rps / ceiling.rps) + " %";
    if (ceiling.atLeast)
        return formatRate(rps) + " req/s is " + percent +
               " of what this load reached against the built-in server, which was then itself the limit: the ceiling "
               "of "
               "the generator is at least " +
               formatRate(ceiling.rps) + " req/s.";
    return formatRate(rps) + " req/s is " + percent +
           " of the most that this machine makes with such a load against the built-in server (" +
           formatRate(ceiling.rps) + "): the generator, not the server, may have been the limit.";
}

std::string differences(const MachineIdentity& a, const MachineIdentity& b)
{
    std::string text;
    const auto add = [&](bool differs, const char* what) {
        if (differs)
            text += (text.empty() ? "" : ", ") + std::string(what);
    };
    add(a.cpuModel != b.cpuModel, "processor model");
    add(a.processors != b.processors, "number of processors");
    add(a.kernel != b.kernel, "kernel");
    add(a.libcurl != b.libcurl, "libcurl");
    add(a.tool != b.tool, "version of Lapbench");
    return text;
}

} // namespace

MachineIdentity thisMachine()
{
    const HostInfo host = readHostInfo();
    return {host.cpuModel, host.kernel, libcurlVersion(), LAPBENCH_VERSION, host.cpus.value_or(0)};
}

std::filesystem::path calibrationPlace(const std::filesystem::path& home)
{
    return home / "calibration.json";
}

Result<std::optional<Calibration>> readCalibration(const std::filesystem::path& home)
{
    constexpr std::uint64_t kLargest = 4 << 20;
    const std::filesystem::path path = calibrationPlace(home);
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::status(path, error)))
        return std::optional<Calibration>();
    const auto broken = [&](std::string message) {
        return Problem{path.string(), std::move(message), "remove it, or measure anew with lapbench-cli calibrate"};
    };
    const auto text = readFile(path, kLargest);
    if (!text)
        return broken(text.problem().message);
    auto calibration = parseCalibration(text.value());
    if (!calibration) {
        const Problem& problem = calibration.problem();
        return broken((problem.path.empty() ? "" : problem.path + " ") + problem.message);
    }
    return std::optional(std::move(calibration).value());
}

std::optional<Ceiling> ceilingFor(const Calibration& calibration, const MachineIdentity& machine,
                                  TransportKind transport, unsigned threads, unsigned connections)
{
    if (calibration.machine != machine)
        return std::nullopt;
    const std::vector<CalibrationEntry> curve = curveFor(calibration, transport, threads);
    if (curve.empty())
        return std::nullopt;
    const auto above = std::find_if(curve.begin(), curve.end(),
                                    [&](const CalibrationEntry& entry) { return entry.connections >= connections; });
    if (above == curve.end())
        return Ceiling{curve.back().rps, curve.back().serverLimited};
    if (above == curve.begin() || above->connections == connections)
        return Ceiling{above->rps, above->serverLimited};
    const CalibrationEntry& below = *(above - 1);
    const double share =
        std::log(double(connections) / below.connections) / std::log(double(above->connections) / below.connections);
    return Ceiling{below.rps + share * (above->rps - below.rps), below.serverLimited || above->serverLimited};
}

bool nearCeiling(double rps, double ceiling)
{
    return rps >= kNear * ceiling;
}

bool limitedByServer(std::optional<double> serverCores, unsigned serverThreads, std::optional<double> generatorCores,
                     unsigned threads)
{
    if (!serverCores)
        return false;
    const double server = *serverCores / serverThreads;
    return server >= kServerBusy && (!generatorCores || server >= *generatorCores / threads);
}

std::optional<Ceiling> trialCeiling(const Calibration& calibration, const MachineIdentity& machine, const Trial& trial)
{
    const auto transport = measuredTransport(trial.transport);
    // HTTP/2 shares a connection among many requests: another load altogether.
    if (!transport || trial.httpVersion != "1.1")
        return std::nullopt;
    return ceilingFor(calibration, machine, *transport, trial.load.threads, trial.level.connections);
}

std::optional<Warning> ceilingWarning(const Calibration& calibration, const MachineIdentity& machine,
                                      const Trial& trial)
{
    const auto ceiling = trialCeiling(calibration, machine, trial);
    if (!ceiling || !trial.load.rps)
        return std::nullopt;
    const double rps = *trial.load.rps;
    if (!nearCeiling(rps, ceiling->rps))
        return std::nullopt;
    const std::string evidence = "rps " + formatSignificant(rps, 4) + ", ceiling " +
                                 (ceiling->atLeast ? "at least " : "") + formatSignificant(ceiling->rps, 4) +
                                 ", share " + (ceiling->atLeast ? "at most " : "") +
                                 formatSignificant(rps / ceiling->rps);
    return Warning{"near_generator_ceiling", ceiling->atLeast ? "info" : "warning", sentence(rps, *ceiling), evidence};
}

DoctorFinding examineCalibration(const std::filesystem::path& home, const MachineIdentity& machine)
{
    DoctorFinding finding{"calibration", "info", "", "lapbench-cli calibrate measures it"};
    const auto read = readCalibration(home);
    if (!read) {
        finding.severity = "warning";
        finding.text = read.problem().path + ": " + read.problem().message + ".";
        finding.cure = read.problem().cure;
    } else if (!read.value()) {
        finding.text = "This machine's ceiling as a generator has not been measured.";
    } else if (read.value()->machine != machine) {
        finding.text = "The calibration is of another machine (" + differences(read.value()->machine, machine) +
                       "), so it does not count here.";
    } else {
        finding.severity = "ok";
        finding.text = "This machine's ceiling as a generator was measured " + formatUtc(read.value()->created) + ".";
        finding.cure.clear();
    }
    return finding;
}

} // namespace lapbench
