#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/host/host_info.h"
#include "core/plan/plan.h"
#include "core/result/session_result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// What a ceiling depends on; a calibration counts only where all of it is the same.
struct MachineIdentity {
    std::string cpuModel, kernel, libcurl, tool; ///< as in HostInfo; versions of libcurl and of Lapbench
    unsigned processors = 0;                     ///< that this process may use; 0 where that is not known

    bool operator==(const MachineIdentity&) const = default;
};
MachineIdentity thisMachine();

/// The most that one kind of load reached against the built-in server on this machine.
struct CalibrationEntry {
    TransportKind transport = TransportKind::keepAlive; ///< never automatic
    unsigned threads = 1, connections = 1;
    double rps = 0;
    std::optional<double> cpuUsPerRequest; ///< of the generator
    std::optional<double> serverCpuCores;
    unsigned serverThreads = 1;
    bool serverLimited = false; ///< the built-in server was the busier of the two and near its end: no ceiling of ours
};

struct Calibration {
    MachineIdentity machine;
    UtcTime created{};
    std::vector<CalibrationEntry> entries;
};

/// Schema "lapbench-calibration"; formatCalibration's text is what parseCalibration reads. Problems: no JSON, another
/// schema or a newer version, a key that is missing or of the wrong type.
std::string formatCalibration(const Calibration& calibration);
Result<Calibration> parseCalibration(std::string_view text);

/// HOME/calibration.json.
std::filesystem::path calibrationPlace(const std::filesystem::path& home);
/// Nothing where there is no file. Problems: as parseCalibration, with the file's name and the cure.
Result<std::optional<Calibration>> readCalibration(const std::filesystem::path& home);

/// The most this machine's generator and built-in server reached together; `atLeast` where the server was the limit,
/// so that the generator alone may reach more.
struct Ceiling {
    double rps = 0;
    bool atLeast = false;
};

/// Of the measured thread count nearest to `threads`: the ceiling at `connections`, interpolated linearly in the
/// logarithm of connections, that of the nearest level beyond the outermost. Nothing where the transport was not
/// measured or where `calibration` is of another machine than `machine`.
std::optional<Ceiling> ceilingFor(const Calibration& calibration, const MachineIdentity& machine,
                                  TransportKind transport, unsigned threads, unsigned connections);

/// Within 15 % of the ceiling, or above it.
bool nearCeiling(double rps, double ceiling);

/// Whether the built-in server, at `serverCores` of `serverThreads`, was the limit rather than the generator at
/// `generatorCores` of `threads`: 90 % of its threads' cores or more, and relatively no less busy than the generator.
bool limitedByServer(std::optional<double> serverCores, unsigned serverThreads, std::optional<double> generatorCores,
                     unsigned threads);

/// The ceiling of a trial's load; only for HTTP/1.1, which is what was measured.
std::optional<Ceiling> trialCeiling(const Calibration& calibration, const MachineIdentity& machine, const Trial& trial);

/// "near_generator_ceiling" where the trial's rps is near the ceiling of its load; its evidence reads "rps R, ceiling
/// C, share S". A warning, or where the ceiling is only "at least" so
/// much, an info.
std::optional<Warning> ceilingWarning(const Calibration& calibration, const MachineIdentity& machine,
                                      const Trial& trial);

/// What `doctor` says of the calibration under `home`.
DoctorFinding examineCalibration(const std::filesystem::path& home, const MachineIdentity& machine);

} // namespace lapbench
