#include "core/result/record_json.h"

#include "core/result/audit_json.h"
#include "core/result/cold_starts_json.h"
#include "core/result/conditions_json.h"

#include <algorithm>

namespace lapbench {

Json hostToJson(const HostInfo& host)
{
    Json json;
    for (const auto& [key, text] :
         {std::pair("hostname", &host.hostname), std::pair("os", &host.os), std::pair("kernel", &host.kernel),
          std::pair("cpu_model", &host.cpuModel), std::pair("architecture", &host.architecture)})
        if (!text->empty())
            json[key] = *text;
    put(json, "cpus", host.cpus);
    put(json, "memory_bytes", host.memoryBytes);
    put(json, "governor", host.governor);
    json["root"] = host.root;
    return json;
}

namespace {

HostInfo readHost(JsonReader json)
{
    HostInfo host;
    host.hostname = json.text("hostname");
    host.os = json.text("os");
    host.kernel = json.text("kernel");
    host.cpuModel = json.text("cpu_model");
    host.architecture = json.text("architecture");
    host.cpus = json.smallCount("cpus");
    host.memoryBytes = json.count("memory_bytes");
    if (json.has("governor"))
        host.governor = json.text("governor");
    host.root = json.flag("root").value_or(false);
    return host;
}

void readRuntimes(JsonReader& json, std::map<std::string, UsedRuntime>& runtimes)
{
    const Json* list = json.object("runtimes");
    if (list == nullptr)
        return;
    JsonReader reader = json.child("runtimes");
    for (const auto& [name, value] : list->items()) {
        JsonReader item = reader.child(name);
        runtimes[name] = {item.text("kind"), item.text("asked"), item.text("actual"), item.text("sha256")};
    }
}

/// A value that is kept as it was: as compact JSON text, empty where absent.
std::string rawText(JsonReader& json, std::string_view key)
{
    const Json* value = json.object(key);
    return value == nullptr ? std::string() : dumpJson(*value);
}

void putRuntimes(Json& json, const std::map<std::string, UsedRuntime>& runtimes)
{
    json["runtimes"] = Json::object();
    for (const auto& [name, runtime] : runtimes) {
        Json item{{"kind", runtime.kind}};
        if (!runtime.asked.empty())
            item["asked"] = runtime.asked;
        if (!runtime.actual.empty())
            item["actual"] = runtime.actual;
        if (!runtime.sha256.empty())
            item["sha256"] = runtime.sha256;
        json["runtimes"][name] = std::move(item);
    }
}

} // namespace

void putRecordHead(Json& json, const SessionResult& result)
{
    json["id"] = result.id;
    json["created_utc"] = formatUtc(result.created);
    json["tool"] = {{"version", result.tool.version},
                    {"git", result.tool.git},
                    {"build", result.tool.build},
                    {"libcurl", result.tool.libcurl}};
    put(json, "elapsed_s", result.elapsedSeconds);
    const std::vector<std::string> tools = result.measuredBy();
    const bool ownMachine = tools.empty() || std::find(tools.begin(), tools.end(), "lapbench") != tools.end();
    if (ownMachine)
        json["scale"] = result.scale;
    json["tags"] = result.tags;
    json["notes"] = result.notes;
    if (ownMachine) {
        json["plan"] = result.planJson.empty() ? Json::object() : Json::parse(result.planJson);
        json["plan_sha256"] = result.planSha256;
        json["host"] = hostToJson(result.host);
    }
    putConditions(json, result.conditionsBefore, result.conditionsAfter);
    putRuntimes(json, result.runtimes);
    if (result.fairWork)
        json["fair_work"] = fairWorkToJson(*result.fairWork);
    putColdStarts(json, result.coldStarts);
    if (!result.publishedJson.empty())
        json["published"] = Json::parse(result.publishedJson);
}

void readRecordHead(JsonReader& json, SessionResult& result)
{
    json.has("schema");
    result.schemaVersion = static_cast<int>(json.smallCount("schema_version").value_or(1));
    result.id = json.text("id");
    if (const auto created = parseUtc(json.text("created_utc")))
        result.created = *created;
    else
        json.fail("created_utc", "is no UTC time");
    JsonReader tool = json.child("tool");
    result.tool = {tool.text("version"), tool.text("git"), tool.text("build"), tool.text("libcurl")};
    result.elapsedSeconds = readElapsed(json);
    result.scale = json.number("scale").value_or(1);
    result.tags = json.texts("tags");
    result.notes = json.text("notes");
    result.planJson = rawText(json, "plan");
    result.planSha256 = json.text("plan_sha256");
    result.host = readHost(json.child("host"));
    readConditionsOf(json, result.conditionsBefore, result.conditionsAfter);
    readRuntimes(json, result.runtimes);
    if (json.object("fair_work") != nullptr)
        result.fairWork = readFairWork(json.child("fair_work"));
    readColdStarts(json, result.coldStarts);
    result.publishedJson = rawText(json, "published");
}

std::optional<double> readElapsed(JsonReader& json)
{
    constexpr double kMost = 1e9;
    const auto elapsed = json.number("elapsed_s");
    if (elapsed && !(*elapsed >= 0 && *elapsed <= kMost))
        json.fail("elapsed_s", "must be seconds from 0 to 1e9");
    return elapsed;
}

Level readLevel(JsonReader json)
{
    return {json.smallCount("connections").value_or(0), json.smallCount("rate")};
}

void readWarnings(JsonReader& json, std::vector<Warning>& warnings)
{
    const Json* list = json.array("warnings");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        JsonReader item = json.element("warnings", *list, i);
        warnings.push_back({item.text("code"), item.text("severity"), item.text("text"), item.text("evidence")});
    }
}

Result<void> checkSchema(const Json& json, std::string_view schema, int version)
{
    const auto name = json.is_object() ? json.find("schema") : json.end();
    if (!json.is_object() || name == json.end() || *name != schema)
        return Problem{"schema", "is not \"" + std::string(schema) + "\", so this is no such file",
                       "name a file that Lapbench wrote"};
    const auto number = json.find("schema_version");
    if (number == json.end() || !number->is_number_integer() || number->get<std::int64_t>() < 1)
        return Problem{"schema_version", "is missing or no whole number above 0", ""};
    if (number->get<std::int64_t>() > version)
        return Problem{"schema_version",
                       "is " + number->dump() + ", and this Lapbench reads up to " + std::to_string(version),
                       "open it with a newer Lapbench"};
    return {};
}

} // namespace lapbench
