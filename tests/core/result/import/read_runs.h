#pragma once

#include "core/result/import/foreign_file.h"
#include "core/result/import/import_result.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace lapbench::test {

/// The bytes of a file under tests/data/import.
inline std::string importData(const std::string& name)
{
    std::ifstream in(std::string(LAPBENCH_TEST_DATA "/import/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The runs in these bytes, by whichever tool; none where they are refused.
inline ImportedRuns runsIn(const std::string& bytes)
{
    auto file = foreignFileOf("name", bytes);
    if (!file)
        return {};
    auto runs = importRuns(file.value());
    return runs ? std::move(runs).value() : ImportedRuns{};
}

/// The only run in these bytes; an empty one where there are none or several.
inline ImportedRun runIn(const std::string& bytes)
{
    ImportedRuns runs = runsIn(bytes);
    return runs.size() == 1 ? std::move(runs.front()) : ImportedRun();
}

/// Why these bytes are refused, as one sentence; "" where they are not.
inline std::string refusalOf(const std::string& bytes)
{
    auto file = foreignFileOf("name", bytes);
    if (!file)
        return format(file.problem());
    auto runs = importRuns(file.value());
    return runs ? std::string() : format(runs.problem());
}

/// A percentile in microseconds; -1 where it is absent.
inline double percentile(const ImportedRun& run, const std::string& key)
{
    const auto found = run.latency.percentilesUs.find(key);
    return found == run.latency.percentilesUs.end() ? -1 : found->second;
}

inline std::uint64_t errorsOf(const ImportedRun& run, ErrorKind kind)
{
    std::uint64_t count = 0;
    for (const ErrorCount& error : run.errors)
        count += error.kind == kind ? error.count : 0;
    return count;
}

/// `text` with every `from` as `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

} // namespace lapbench::test
