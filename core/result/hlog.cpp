#include "core/result/hlog.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>

namespace lapbench {

namespace {

constexpr std::string_view kVersion = "#[Histogram log format version 1.3]\n";
constexpr std::string_view kLegend =
    "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";

double secondsOf(UtcTime time)
{
    return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// Three decimals, whatever the locale.
std::string thousandths(double value)
{
    std::array<char, 400> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3).ptr;
    return {text.data(), end};
}

std::string intervalLine(const std::string& tag, double startSeconds, double lengthSeconds,
                         const SparseHistogram& histogram)
{
    const double mostMs = static_cast<double>(histogram.maxNs().value_or(0)) / 1e6;
    return "Tag=" + tag + "," + thousandths(startSeconds) + "," + thousandths(lengthSeconds) + "," +
           thousandths(mostMs) + "," + encodeV2(histogram) + "\n";
}

/// Whether the seconds hold what the whole does: those of some imported trials and of damaged files do not.
bool secondsAreWhole(const Trial& trial)
{
    std::uint64_t total = 0;
    for (const TrialSecond& second : trial.seconds)
        total += second.load.latency.total();
    return !trial.seconds.empty() && total == trial.load.histogram.total();
}

std::string linesOf(const Trial& trial)
{
    const std::string tag = hlogTag(trial);
    const double start = secondsOf(trial.started);
    if (!secondsAreWhole(trial))
        return intervalLine(tag, start, trial.load.durationSeconds, trial.load.histogram.sparse());
    std::string lines;
    for (const TrialSecond& second : trial.seconds) {
        const double left = trial.load.durationSeconds - second.load.t;
        lines += intervalLine(tag, start + second.load.t, std::clamp(left, 0.0, 1.0), second.load.latency);
    }
    return lines;
}

/// What a reader of the log has to know and no line of it holds.
std::string censoredLine(const Trial& trial)
{
    const std::uint64_t censored = trial.load.censored.total();
    if (censored == 0)
        return {};
    return "#" + hlogTag(trial) + ": " + std::to_string(censored) +
           " requests that timed out or were still open are not in it\n";
}

/// Comment, version, start, legend: the order that is the custom.
std::string headOf(UtcTime start)
{
    return "#Latency of right answers in nanoseconds, written by Lapbench\n" + std::string(kVersion) +
           "#[StartTime: " + thousandths(secondsOf(start)) + " (seconds since epoch), " + formatUtc(start) + "]\n" +
           std::string(kLegend);
}

} // namespace

std::string hlogTag(const Trial& trial)
{
    std::string tag = trial.target + "/" + trial.workload + "/" + std::to_string(trial.level.connections) +
                      (trial.level.rate ? "@" + std::to_string(*trial.level.rate) : "") + "/" +
                      std::to_string(trial.round);
    for (char& c : tag)
        if (c == ',' || static_cast<unsigned char>(c) <= ' ')
            c = '_';
    return tag;
}

std::string formatHlog(const Trial& trial)
{
    return headOf(trial.started) + censoredLine(trial) + linesOf(trial);
}

std::string formatHlog(const SessionResult& result)
{
    std::string comments, lines;
    UtcTime start = result.created;
    for (const Trial& trial : result.trials) {
        if (trial.superseded || trial.load.histogram.empty())
            continue;
        start = lines.empty() ? trial.started : std::min(start, trial.started);
        comments += censoredLine(trial);
        lines += linesOf(trial);
    }
    return headOf(start) + comments + lines;
}

} // namespace lapbench
