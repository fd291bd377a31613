#include "core/plan/words.h"
#include "core/result/record_json.h"
#include "core/session/calibration.h"

namespace lapbench {

namespace {

constexpr std::string_view kSchema = "lapbench-calibration";
constexpr int kSchemaVersion = 1;
constexpr std::uint64_t kMost = 1'000'000;

Json entryToJson(const CalibrationEntry& entry)
{
    Json json{{"transport", nameOf(entry.transport)},
              {"threads", entry.threads},
              {"connections", entry.connections},
              {"rps", entry.rps}};
    if (entry.cpuUsPerRequest)
        json["cpu_us_per_request"] = *entry.cpuUsPerRequest;
    json["server_threads"] = entry.serverThreads;
    if (entry.serverCpuCores)
        json["server_cpu_cores"] = *entry.serverCpuCores;
    if (entry.serverLimited)
        json["limited_by"] = "server";
    return json;
}

unsigned positive(JsonReader& json, std::string_view key)
{
    const auto value = json.count(key);
    if (!value || *value == 0 || *value > kMost) {
        json.fail(key, "must be a whole number, 1 or more");
        return 1;
    }
    return static_cast<unsigned>(*value);
}

CalibrationEntry readEntry(JsonReader json)
{
    CalibrationEntry entry;
    const std::string transport = json.text("transport");
    if (transport == nameOf(TransportKind::curl))
        entry.transport = TransportKind::curl;
    else if (transport != nameOf(TransportKind::keepAlive))
        json.fail("transport", "must be keep-alive or curl");
    entry.threads = positive(json, "threads");
    entry.connections = positive(json, "connections");
    entry.rps = json.number("rps").value_or(0);
    if (entry.rps <= 0)
        json.fail("rps", "must be a number above 0");
    entry.cpuUsPerRequest = json.number("cpu_us_per_request");
    entry.serverThreads = positive(json, "server_threads");
    entry.serverCpuCores = json.number("server_cpu_cores");
    entry.serverLimited = json.text("limited_by") == "server";
    return entry;
}

} // namespace

std::string formatCalibration(const Calibration& calibration)
{
    Json json{{"schema", kSchema},
              {"schema_version", kSchemaVersion},
              {"created_utc", formatUtc(calibration.created)},
              {"machine",
               {{"cpu_model", calibration.machine.cpuModel},
                {"processors", calibration.machine.processors},
                {"kernel", calibration.machine.kernel},
                {"libcurl", calibration.machine.libcurl},
                {"lapbench", calibration.machine.tool}}},
              {"entries", Json::array()}};
    for (const CalibrationEntry& entry : calibration.entries)
        json["entries"].push_back(entryToJson(entry));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Calibration> parseCalibration(std::string_view text)
{
    const auto parsed = parseJsonText(text);
    if (!parsed)
        return parsed.problem();
    if (auto checked = checkSchema(parsed.value(), kSchema, kSchemaVersion); !checked)
        return checked.problem();
    std::optional<Problem> problem;
    JsonReader json(parsed.value(), "", problem);
    Calibration calibration;
    if (const auto created = parseUtc(json.text("created_utc")))
        calibration.created = *created;
    else
        json.fail("created_utc", "is no UTC time");
    JsonReader machine = json.child("machine");
    calibration.machine = {machine.text("cpu_model"), machine.text("kernel"), machine.text("libcurl"),
                           machine.text("lapbench"), static_cast<unsigned>(machine.count("processors").value_or(0))};
    const Json* entries = json.array("entries");
    if (entries == nullptr)
        json.fail("entries", "must be a list");
    for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i)
        calibration.entries.push_back(readEntry(json.element("entries", *entries, i)));
    if (problem)
        return *problem;
    return calibration;
}

} // namespace lapbench
