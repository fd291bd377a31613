#pragma once

#include "core/base/clock.h"
#include "core/result/session_result.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// What tells one state of a file from another without reading it.
struct FileState {
    std::uint64_t size = 0, inode = 0;
    std::int64_t modifiedNs = 0,
                 changedNs = 0; ///< since 1970: its content, and anything of it, such as who may read it

    bool operator==(const FileState&) const = default;
};

/// A saved result as the library lists it.
struct LibraryEntry {
    std::filesystem::path path;
    std::string name; ///< of the file, without its ending: "json-api-20261130T112031Z"
    FileState file;
    std::string problem; ///< why it cannot be read; then all that follows is empty
    std::string id;
    UtcTime created{};
    std::string plan;                  ///< the plan's name
    std::vector<std::string> targets;  ///< what people call them, in the order of their trials
    std::vector<std::string> runtimes; ///< "node 22.9.0"
    std::vector<std::string> tools;    ///< that measured it: "lapbench", "wrk"
    std::vector<std::string> workloads;
    std::string host;
    std::size_t trials = 0;
    unsigned rounds = 0; ///< the highest of its trials
    std::vector<std::string> tags;
    std::string notes;
    bool complete = true; ///< false: the journal of a session that did not end

    bool readable() const { return problem.empty(); }
};

/// The entry of a file that was read.
LibraryEntry makeEntry(const std::filesystem::path& path, const FileState& file, const SessionResult& result);
/// The entry of one that was not.
LibraryEntry unreadableEntry(const std::filesystem::path& path, const FileState& file, std::string problem);

/// What is looked for; what is empty is not asked for. Case does not matter.
struct LibraryQuery {
    std::vector<std::string> words; ///< each somewhere in name, plan, targets, runtimes, workloads, tags, notes or host
    std::string runtime;            ///< in a runtime or a target: "bun", "node 22"
    std::string tag;                ///< a whole tag
    std::optional<UtcTime> since, until; ///< made at or after the one, before the other

    bool matches(const LibraryEntry& entry) const;
};

/// "2026-11-30" or "2026-11-30T11:20:31Z" in UTC; with `end` of a day its end. Nothing for anything else.
std::optional<UtcTime> parseDay(std::string_view text, bool end);

/// What is known of a result, or the problem that its file has, under the keys of `results list --format json`.
void putEntry(nlohmann::ordered_json& json, const LibraryEntry& entry);

} // namespace lapbench
