#include "core/result/annotate.h"

#include "core/base/atomic_file.h"
#include "core/result/journal.h"
#include "core/result/json_reader.h"
#include "core/result/record_json.h"
#include "core/result/sha256.h"

#include <sys/stat.h>

#include <algorithm>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestTag = 64;

Problem in(const fs::path& path, Problem problem)
{
    problem.path = path.string() + (problem.path.empty() ? "" : ": " + problem.path);
    return problem;
}

/// Sets a key where it is, or before the trials, which are long.
void set(Json& json, const char* key, Json value)
{
    if (const auto at = json.find(key); at != json.end()) {
        *at = std::move(value);
        return;
    }
    Json ordered = Json::object();
    for (auto& [name, old] : json.items()) {
        if (name == "trials")
            ordered[key] = value;
        ordered[name] = std::move(old);
    }
    if (!ordered.contains(key))
        ordered[key] = std::move(value);
    json = std::move(ordered);
}

/// Takes the checksum out; a problem where it does not hold.
Result<void> takeIntegrity(Json& json)
{
    const auto integrity = json.find("integrity");
    if (integrity == json.end())
        return {};
    const std::string expected = integrity->is_object() ? integrity->value("sha256", std::string()) : std::string();
    json.erase("integrity");
    if (sha256Hex(dumpJson(json)) != expected)
        return Problem{"", "was changed after Lapbench wrote it, which a new checksum would hide",
                       "keep it as it is, or run the plan again"};
    return {};
}

} // namespace

Result<std::string> checkTag(const std::string& tag)
{
    const auto first = tag.find_first_not_of(' ');
    const std::string trimmed =
        first == std::string::npos ? "" : tag.substr(first, tag.find_last_not_of(' ') - first + 1);
    const bool fit = !trimmed.empty() && trimmed.size() <= kLongestTag &&
                     std::none_of(trimmed.begin(), trimmed.end(),
                                  [](char c) { return c == ',' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!fit)
        return Problem{"\"" + tag + "\"", "is no tag", "take a word of up to 64 bytes without commas"};
    return trimmed;
}

Result<void> annotateResult(const fs::path& path, const std::function<Result<void>(Annotations&)>& change)
{
    if (Journal::inUse(path))
        return Problem{path.string(), "is being measured by a session that is running", "wait for its end"};
    const auto text = readFile(path);
    if (!text)
        return text.problem();
    if (auto read = parseResult(text.value()); !read)
        return in(path, read.problem());
    auto parsed = parseJsonText(text.value());
    if (!parsed)
        return in(path, parsed.problem());
    Json& json = parsed.value();
    if (auto intact = takeIntegrity(json); !intact)
        return in(path, intact.problem());

    Annotations annotations;
    if (const auto tags = json.find("tags"); tags != json.end())
        annotations.tags = tags->get<std::vector<std::string>>();
    if (const auto notes = json.find("notes"); notes != json.end())
        annotations.notes = notes->get<std::string>();
    const Annotations before = annotations;
    if (auto changed = change(annotations); !changed)
        return changed;
    if (annotations == before)
        return {};
    set(json, "tags", annotations.tags);
    set(json, "notes", annotations.notes);
    json["integrity"] = {{"sha256", sha256Hex(dumpJson(json))}};

    struct stat status {};
    const unsigned mode = ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0600U;
    std::error_code ignored;
    const fs::path real = fs::canonical(path, ignored);
    return writeFileAtomically(real.empty() ? path : real, dumpJson(json) + "\n", mode);
}

} // namespace lapbench
