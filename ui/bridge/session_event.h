#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace lapbench {

/// The events of `lapbench-cli run --progress jsonl`, one value type each, named as in the interface. What an event
/// does not carry is absent.
struct SessionStarted {
    std::size_t trials = 0;
    std::optional<double> estimateSeconds;
};

struct TrialStarted {
    std::size_t index = 0;
    QString target, workload;
    Level level;
    unsigned round = 1;
    std::optional<double> remainingSeconds; ///< of the session, by the runner's estimate
    unsigned attempt = 1;                   ///< of its round; a round that was too noisy is run again
};

struct PhaseChanged {
    QString name;
};

/// What happened since the last interval; t in seconds since the window opened, negative in the warm-up.
struct LiveInterval {
    double t = 0;
    std::optional<double> length; ///< seconds it covers
    std::uint64_t ok = 0, failed = 0;

    std::optional<double> rps;
    std::optional<double> p25Us, p50Us, p75Us, p99Us, maxUs;
    std::optional<double> serverCpuCores, serverRssBytes;
    std::optional<double> generatorCpuCores;
    std::optional<double> noise = {}; ///< share of the machine that others and steal took in the last second

    /// The last interval of a window may be a few microseconds long: too short for a rate or a load.
    bool isTooShort() const { return length && *length < 0.1; }
};

struct TrialFinished {
    std::size_t index = 0;
    Trial trial;
};

struct RoundFinished {
    unsigned round = 1;
    std::vector<Comparison> comparisons; ///< what can be said so far
};

struct WarningRaised {
    Warning warning;
};

struct LogLine {
    QString source, line;
};

struct SessionFinished {
    QString result;
};

struct SessionFailed {
    QString message;
};

/// An event of a later version: known to be an event, passed over.
struct UnknownEvent {
    QString name;
};

using SessionEvent = std::variant<SessionStarted, TrialStarted, PhaseChanged, LiveInterval, TrialFinished,
                                  RoundFinished, WarningRaised, LogLine, SessionFinished, SessionFailed, UnknownEvent>;

/// Reads one line, without its line end. Problems: no JSON object, no event name, a required key that is missing or of
/// the wrong type. Never throws; any thread.
Result<SessionEvent> parseSessionEvent(const QByteArray& line);

} // namespace lapbench

Q_DECLARE_METATYPE(lapbench::SessionEvent)
