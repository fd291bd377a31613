#include "core/result/library_index.h"

#include "core/result/json_reader.h"
#include "core/result/result_json.h"
#include "core/result/sha256.h"

#include <cstdlib>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSchema = "lapbench-results-index";
constexpr unsigned kSchemaVersion = 1;

Json entryToJson(const std::string& file, const LibraryEntry& entry)
{
    Json json{{"file", file},
              {"size", entry.file.size},
              {"inode", entry.file.inode},
              {"modified_ns", std::to_string(entry.file.modifiedNs)},
              {"changed_ns", std::to_string(entry.file.changedNs)}};
    putEntry(json, entry);
    return json;
}

/// As text, since not every reader of JSON keeps 19 digits.
std::int64_t nanosecondsOf(const std::string& text)
{
    return std::strtoll(text.c_str(), nullptr, 10);
}

LibraryEntry readEntry(JsonReader json, const fs::path& folder)
{
    const fs::path path = folder / json.text("file");
    FileState file;
    file.size = json.count("size").value_or(0);
    file.inode = json.count("inode").value_or(0);
    file.modifiedNs = nanosecondsOf(json.text("modified_ns"));
    file.changedNs = nanosecondsOf(json.text("changed_ns"));
    if (json.has("problem"))
        return unreadableEntry(path, file, json.text("problem"));
    LibraryEntry entry = unreadableEntry(path, file, {});
    entry.problem.clear();
    entry.id = json.text("id");
    if (const auto created = parseUtc(json.text("created_utc")))
        entry.created = *created;
    else
        json.fail("created_utc", "is no UTC time");
    entry.plan = json.text("plan");
    entry.targets = json.texts("targets");
    entry.runtimes = json.texts("runtimes");
    entry.tools = json.texts("tools");
    entry.workloads = json.texts("workloads");
    entry.host = json.text("host");
    entry.trials = json.count("trials").value_or(0);
    entry.rounds = json.smallCount("rounds").value_or(0);
    entry.tags = json.texts("tags");
    entry.notes = json.text("notes");
    entry.complete = json.flag("complete").value_or(true);
    return entry;
}

} // namespace

std::string formatLibraryIndex(const LibraryIndex& index, const fs::path& folder)
{
    Json json{{"schema", kSchema}, {"schema_version", kSchemaVersion}, {"version", LAPBENCH_VERSION}};
    json["folder"] = folder.string();
    json["entries"] = Json::array();
    for (const auto& [file, entry] : index)
        json["entries"].push_back(entryToJson(file, entry));
    json["integrity"] = {{"sha256", sha256Hex(dumpJson(json))}};
    return dumpJson(json) + "\n";
}

LibraryIndex parseLibraryIndex(std::string_view text, const fs::path& folder)
{
    auto parsed = parseJsonText(text);
    if (!parsed || !parsed.value().is_object())
        return {};
    Json& source = parsed.value();
    std::optional<Problem> problem;
    std::string expected;
    if (const auto integrity = source.find("integrity"); integrity != source.end()) {
        expected = JsonReader(*integrity, "integrity", problem).text("sha256");
        source.erase("integrity");
    }
    if (sha256Hex(dumpJson(source)) != expected)
        return {};
    JsonReader json(source, "", problem);
    if (json.text("schema") != kSchema || json.smallCount("schema_version") != kSchemaVersion ||
        json.text("version") != LAPBENCH_VERSION || json.text("folder") != folder.string())
        return {};
    LibraryIndex index;
    const Json* entries = json.array("entries");
    for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
        LibraryEntry entry = readEntry(json.element("entries", *entries, i), folder);
        index.emplace(entry.path.filename().string(), std::move(entry));
    }
    return problem ? LibraryIndex() : index;
}

} // namespace lapbench
