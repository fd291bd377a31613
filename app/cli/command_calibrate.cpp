#include "app/cli/commands.h"
#include "app/cli/signals.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/base/units.h"
#include "core/load/engine.h"
#include "core/plan/words.h"
#include "core/result/export/text_table.h"
#include "core/session/calibrate.h"

#include <cstdio>

namespace lapbench {

namespace {

constexpr Nanoseconds kShortest = std::chrono::milliseconds(50), kLongest = std::chrono::minutes(10);

struct CalibrateOptions {
    bool quick = false;
    std::string duration, json;
};

std::string nameOfLevel(TransportKind transport, unsigned threads, unsigned connections)
{
    return std::string(nameOf(transport)) + ", " + formatCounted(threads, "thread") + ", " +
           formatCounted(connections, "connection");
}

std::string formatForPeople(const Calibration& calibration)
{
    TextTable table;
    table.header = {"transport", "threads", "connections", "req/s", "us a request", "server cores", "limited by"};
    bool serverLimited = false;
    for (const CalibrationEntry& entry : calibration.entries) {
        serverLimited = serverLimited || entry.serverLimited;
        table.rows.push_back(
            {std::string(nameOf(entry.transport)), std::to_string(entry.threads), std::to_string(entry.connections),
             (entry.serverLimited ? ">= " : "") + formatRate(entry.rps),
             entry.cpuUsPerRequest ? formatSignificant(*entry.cpuUsPerRequest) : "-",
             entry.serverCpuCores
                 ? formatSignificant(*entry.serverCpuCores) + " of " + std::to_string(entry.serverThreads)
                 : "-",
             entry.serverLimited ? "server" : "-"});
    }
    std::string text = formatAligned(table) +
                       "\nThe most that the generator and the built-in server reached together on this machine, which "
                       "they share.\n";
    if (serverLimited)
        text += "Where the server was the limit, the generator alone may reach more: at least so much.\n";
    return text;
}

/// One `calibrate`: check where the result goes, measure, keep, tell.
class Calibrating {
public:
    Calibrating(const CalibrateOptions& options, const SessionPlaces& places) : m_options(options), m_places(places) {}

    ExitCode execute()
    {
        const std::uint64_t descriptors = raiseDescriptorLimit();
        m_task =
            calibrationTask(thisMachine().processors, automaticThreads(kManyConnections), descriptors, m_options.quick);
        if (auto read = readWindow(); !read) {
            complain(read.problem());
            return ExitCode::badInput;
        }
        if (auto writable = checkPlaces(); !writable) {
            complain(writable.problem());
            return ExitCode::unwritable;
        }
        SessionControl control;
        const StopSignals signals(control);
        const auto end = measure(control);
        if (!end) {
            complain(end.problem());
            return ExitCode::nothingMeasured;
        }
        if (end.value().interrupted) {
            complain("interrupted; " + calibrationPlace(m_places.home).string() + " is as it was");
            return ExitCode::interrupted;
        }
        return keep(end.value().calibration);
    }

private:
    static constexpr unsigned kManyConnections = 1000;

    Result<void> readWindow()
    {
        if (m_options.duration.empty())
            return {};
        const auto window = parseDuration(m_options.duration);
        if (!window)
            return Problem{"--duration", window.problem().message, window.problem().cure};
        if (window.value() < kShortest || window.value() > kLongest)
            return Problem{"--duration", m_options.duration + " is outside 50ms to 10m", "give a time in between"};
        m_task.window = window.value();
        return {};
    }

    Result<void> checkPlaces() const
    {
        if (!m_options.json.empty() && m_options.json != "-")
            if (auto writable = checkDestination(m_options.json); !writable)
                return writable;
        return checkDestination(calibrationPlace(m_places.home), true);
    }

    Result<CalibrationEnd> measure(const SessionControl& control) const
    {
        StatusLine line;
        CalibrationWatch watch;
        watch.stop = &control.stopFlag();
        watch.onLevel = [&](std::size_t done, std::size_t total, const CalibrationLevel& next) {
            const Nanoseconds left = (m_task.window + m_task.window / 10) * (total - done);
            line.show(std::to_string(done + 1) + " of " + std::to_string(total) + " · " +
                      nameOfLevel(next.transport, next.threads, next.connections) + " · " + formatRemaining(left) +
                      " left");
        };
        watch.onLeftOut = [&](const CalibrationLevel& level, const std::string& why) {
            line.clear();
            complain(nameOfLevel(level.transport, level.threads, level.connections) + " is left out: " + why);
        };
        return calibrate(m_task, m_places.program, watch);
    }

    ExitCode keep(const Calibration& calibration) const
    {
        const std::string text = formatCalibration(calibration);
        std::vector<std::filesystem::path> places = {calibrationPlace(m_places.home)};
        if (!m_options.json.empty() && m_options.json != "-")
            places.emplace_back(m_options.json);
        for (const auto& place : places) {
            if (auto written = writeFileAtomically(place, text, 0644); !written) {
                complain(written.problem());
                return ExitCode::unwritable;
            }
        }
        const bool told = m_options.json == "-"
                              ? printOut(text)
                              : printOut(formatForPeople(calibration) + "Kept in " + places.front().string() + "\n");
        if (told)
            return ExitCode::done;
        complain(Problem{"stdout", "cannot be written", "the calibration stands in " + places.front().string()});
        return ExitCode::unwritable;
    }

    const CalibrateOptions& m_options;
    const SessionPlaces& m_places;
    CalibrationTask m_task;
};

} // namespace

void addCalibrate(CLI::App& app, const SessionPlaces& places, Body& body)
{
    const auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = app.add_subcommand("calibrate", "Measure this machine's ceiling as a generator, and keep it");
    command->add_flag("--quick", options->quick, "Fewer levels, each for half a second: a first idea");
    command->add_option("--duration", options->duration, "How long each level is measured; default 2s, 500ms if quick");
    command->add_option("--json", options->json, "Write the calibration as JSON into this file too; - is stdout");
    command->callback(
        [options, &places, &body] { body = [options, &places] { return Calibrating(*options, places).execute(); }; });
}

} // namespace lapbench
