#include "core/result/imported_trial_json.h"

#include <array>
#include <utility>

namespace lapbench {

namespace {

constexpr std::array<std::pair<Correction, std::string_view>, 4> kCorrections = {
    {{Correction::unknown, ""},
     {Correction::none, "none"},
     {Correction::backfilled, "backfilled"},
     {Correction::intended, "intended"}}};

constexpr std::array<std::pair<BytesKind, std::string_view>, 3> kBytesKinds = {
    {{BytesKind::unknown, ""}, {BytesKind::body, "body"}, {BytesKind::wire, "wire"}}};

template <typename T, std::size_t N>
std::string nameIn(const std::array<std::pair<T, std::string_view>, N>& names, T value)
{
    for (const auto& [known, name] : names)
        if (known == value)
            return std::string(name);
    return {};
}

template <typename T, std::size_t N>
T valueIn(const std::array<std::pair<T, std::string_view>, N>& names, JsonReader& json, std::string_view key)
{
    const std::string text = json.text(key);
    for (const auto& [value, name] : names)
        if (name == text)
            return value;
    json.fail(key, "is not known");
    return T{};
}

void putText(Json& json, const char* key, const std::string& text)
{
    if (!text.empty())
        json[key] = text;
}

Json semanticsToJson(const Semantics& semantics)
{
    Json json{{"tool", semantics.tool}};
    putText(json, "form", semantics.form);
    put(json, "latency_includes_errors", semantics.latencyIncludesErrors);
    put(json, "rps_counts_errors", semantics.rpsCountsErrors);
    putText(json, "correction", nameIn(kCorrections, semantics.correction));
    put(json, "resolution_us", semantics.resolutionUs);
    putText(json, "bytes_kind", nameIn(kBytesKinds, semantics.bytes));
    json["notes"] = semantics.notes;
    return json;
}

Semantics readSemantics(JsonReader json)
{
    Semantics semantics;
    semantics.tool = json.text("tool");
    semantics.form = json.text("form");
    semantics.latencyIncludesErrors = json.flag("latency_includes_errors");
    semantics.rpsCountsErrors = json.flag("rps_counts_errors");
    semantics.correction = valueIn(kCorrections, json, "correction");
    semantics.resolutionUs = json.number("resolution_us");
    semantics.bytes = valueIn(kBytesKinds, json, "bytes_kind");
    semantics.notes = json.texts("notes");
    return semantics;
}

Json requestsToJson(const LoadFigures& load, const ImportedTrial& told)
{
    Json json = Json::object();
    if (told.completed && told.unfinished)
        json["sent"] = load.sent();
    if (told.completed)
        json["completed"] = load.completed();
    if (told.completed && told.failed)
        json["ok"] = load.ok;
    if (told.failed)
        json["failed"] = load.failed;
    if (told.unfinished)
        json["unfinished"] = load.unfinished;
    return json;
}

void readRequests(JsonReader json, LoadFigures& load, ImportedTrial& told)
{
    json.has("sent");
    json.has("ok");
    told.completed = json.has("completed");
    told.failed = json.has("failed");
    told.unfinished = json.has("unfinished");
    load.failed = json.count("failed").value_or(0);
    load.unfinished = json.count("unfinished").value_or(0);
    const std::uint64_t completed = json.count("completed").value_or(0);
    if (told.completed && completed < load.failed)
        json.fail("failed", "is more than completed");
    else
        load.ok = told.completed ? completed - load.failed : 0;
}

void putBytes(Json& json, const LoadFigures& load, const ImportedTrial& told)
{
    Json bytes = Json::object();
    if (told.bytesReceived)
        bytes["received"] = load.bytesReceived;
    if (told.bytesSent)
        bytes["sent"] = load.bytesSent;
    if (told.bodyReceived)
        bytes["body_received"] = load.bodyReceived;
    if (!bytes.empty())
        json["bytes"] = std::move(bytes);
}

void readBytes(JsonReader json, LoadFigures& load, ImportedTrial& told)
{
    told.bytesReceived = json.has("received");
    told.bytesSent = json.has("sent");
    told.bodyReceived = json.has("body_received");
    load.bytesReceived = json.count("received").value_or(0);
    load.bytesSent = json.count("sent").value_or(0);
    load.bodyReceived = json.count("body_received").value_or(0);
}

} // namespace

void putImportedLoad(Json& json, const Trial& trial)
{
    const LoadFigures& load = trial.load;
    const ImportedTrial& told = *trial.imported;
    json["semantics"] = semanticsToJson(told.semantics);
    json["requests"] = requestsToJson(load, told);
    if (told.duration)
        json["duration_s"] = load.durationSeconds;
    put(json, "rps", load.rps);
    json["latency_us"] = latencyToJson(load.latency, told.latencyCount);
    if (!load.status.empty()) {
        json["status"] = Json::object();
        for (const auto& [code, count] : load.status)
            json["status"][std::to_string(code)] = count;
    }
    json["errors"] = errorsToJson(load.errors, false);
    putBytes(json, load, told);
    if (load.threads > 0)
        json["generator"] = {{"threads", load.threads}};
}

void readImportedLoad(JsonReader& json, Trial& trial)
{
    LoadFigures& load = trial.load;
    ImportedTrial& told = trial.imported.emplace();
    told.semantics = readSemantics(json.child("semantics"));
    readRequests(json.child("requests"), load, told);
    const auto duration = json.number("duration_s");
    told.duration = duration.has_value();
    load.durationSeconds = duration.value_or(0);
    load.rps = json.number("rps");
    told.latencyCount = json.child("latency_us").has("count");
    readLatency(json.child("latency_us"), load.latency);
    if (!told.latencyCount)
        load.latency.count = load.completed();
    readStatus(json, load.status);
    readErrors(json, load.errors);
    readBytes(json.child("bytes"), load, told);
    load.threads = json.child("generator").smallCount("threads").value_or(0);
}

} // namespace lapbench
