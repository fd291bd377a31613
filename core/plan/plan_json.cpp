#include "core/plan/plan_json.h"

#include "core/plan/fields.h"
#include "core/plan/json_scan.h"
#include "core/plan/nearest.h"
#include "core/plan/rate_course.h"

#include <nlohmann/json.hpp>

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestPlan = 16u << 20;
constexpr int kDeepestPlan = 40;
constexpr std::size_t kMostElements = 1000;
constexpr std::size_t kMostProblems = 100;
constexpr const char* kRequestsKey = "requests";
constexpr const char* kFindKey = "find";

class PlanReader {
public:
    explicit PlanReader(PlanReading& reading) : m_plan(reading.plan), m_problems(reading.problems) {}

    void read(const Json& json)
    {
        if (!readSchema(json))
            return;
        readObject(FieldScope::plan, json, "", &m_plan);
        if (const Json* runtimes = section(json, "runtimes"))
            readRuntimes(*runtimes);
        if (const Json* targets = section(json, "targets"))
            readList(FieldScope::target, *targets, "targets", m_plan.targets);
        if (const Json* workloads = section(json, "workloads"))
            readWorkloads(*workloads);
        if (const Json* load = section(json, "load"))
            readLoad(*load);
        if (const Json* measure = section(json, "measure")) {
            m_plan.measure = Extent{};
            readObject(FieldScope::measure, *measure, "measure", &m_plan.measure);
        } else if (const auto course = courseOf(m_plan.load, std::nullopt); course && !course.value().empty()) {
            m_plan.measure.duration = lengthOf(course.value());
        }
        if (const Json* warmup = section(json, "warmup")) {
            m_plan.warmup = Extent{};
            readObject(FieldScope::warmup, *warmup, "warmup", &m_plan.warmup);
        }
        if (const Json* affinity = section(json, "affinity"))
            readObject(FieldScope::affinity, *affinity, "affinity", &m_plan.affinity);
        if (const Json* fairWork = section(json, "fair_work"))
            readObject(FieldScope::fairWork, *fairWork, "fair_work", &m_plan.fairWork);
        if (const Json* published = section(json, "published"))
            m_plan.publishedJson = published->dump();
    }

private:
    void problem(std::string path, std::string message, std::string cure)
    {
        m_problems.push_back({std::move(path), std::move(message), std::move(cure)});
    }

    static const Json* section(const Json& json, const char* key)
    {
        const auto found = json.find(key);
        return found == json.end() ? nullptr : &*found;
    }

    bool readSchema(const Json& json)
    {
        const std::string expected(kPlanSchema);
        const Json* schema = section(json, "schema");
        if (!schema || !schema->is_string()) {
            problem("schema", "is missing: this is no Lapbench plan", "write \"schema\": \"" + expected + "\"");
            return false;
        }
        if (*schema != expected) {
            problem("schema", "is " + schema->dump().substr(0, 80) + ", not \"" + expected + "\"",
                    "give a plan; results are read by show");
            return false;
        }
        const Json* version = section(json, "schema_version");
        if (!version || !version->is_number_unsigned() || *version < 1) {
            problem("schema_version", "is missing or no version",
                    "write \"schema_version\": " + std::to_string(kPlanSchemaVersion));
            return false;
        }
        if (*version > kPlanSchemaVersion) {
            problem("schema_version",
                    "is " + version->dump() + ", newer than the " + std::to_string(kPlanSchemaVersion) +
                        " that this version of Lapbench reads",
                    "use a newer Lapbench");
            return false;
        }
        return true;
    }

    static bool isSection(FieldScope scope, std::string_view key)
    {
        if (scope == FieldScope::workload)
            return key == kRequestsKey;
        if (scope == FieldScope::load)
            return key == kFindKey;
        if (scope == FieldScope::plan)
            for (const Section& part : allSections())
                if (part.key == key)
                    return true;
        return false;
    }

    void readObject(FieldScope scope, const Json& json, const std::string& path, FieldOwner owner)
    {
        if (!json.is_object()) {
            problem(path, "is not an object", "write it in braces");
            return;
        }
        const std::string prefix = path.empty() ? "" : path + ".";
        for (const auto& [key, value] : json.items()) {
            if (isSection(scope, key))
                continue;
            const Field* field = findField(scope, key);
            if (!field) {
                const auto known = keysOf(scope);
                problem(prefix + key.substr(0, 80), "is an unknown key", suggest(key, known));
                continue;
            }
            const std::size_t before = m_problems.size();
            const FieldValue read = fieldValueFromJson(*field, value, prefix + key, m_problems);
            if (m_problems.size() == before)
                field->assign(owner, read);
        }
        for (const Field& field : allFields())
            if (field.scope == scope && field.required && !json.contains(std::string(field.key)))
                problem(prefix + std::string(field.key), "is missing", "add it: " + std::string(field.help));
    }

    template <typename T>
    void readList(FieldScope scope, const Json& json, const std::string& path, std::vector<T>& list)
    {
        list.clear();
        if (!json.is_array() || json.size() > kMostElements) {
            problem(path, "is not a list of at most " + std::to_string(kMostElements) + " objects",
                    "write it in brackets");
            return;
        }
        for (std::size_t i = 0; i < json.size() && m_problems.size() < kMostProblems; ++i) {
            list.emplace_back();
            readObject(scope, json[i], path + "[" + std::to_string(i) + "]", &list.back());
        }
    }

    void readLoad(const Json& json)
    {
        readObject(FieldScope::load, json, "load", &m_plan.load);
        if (!json.is_object())
            return;
        if (const Json* find = section(json, kFindKey))
            readObject(FieldScope::find, *find, "load.find", &m_plan.load.find.emplace());
    }

    void readWorkloads(const Json& json)
    {
        readList(FieldScope::workload, json, "workloads", m_plan.workloads);
        for (std::size_t i = 0; i < m_plan.workloads.size(); ++i)
            if (json[i].is_object())
                if (const Json* requests = section(json[i], kRequestsKey))
                    readList(FieldScope::request, *requests, "workloads[" + std::to_string(i) + "].requests",
                             m_plan.workloads[i].requests);
    }

    void readRuntimes(const Json& json)
    {
        if (!json.is_object() || json.size() > kMostElements) {
            problem("runtimes", "is not an object of names with their runtimes",
                    "write {\"node22\": {\"kind\": \"node\", \"version\": \"22.9.0\"}}");
            return;
        }
        for (const auto& [name, value] : json.items()) {
            m_plan.runtimes.emplace_back();
            m_plan.runtimes.back().name = name;
            readObject(FieldScope::runtime, value, "runtimes." + name, &m_plan.runtimes.back());
        }
    }

    Plan& m_plan;
    Problems& m_problems;
};

/// What differs from the default, in the order of the table.
Json objectOf(FieldScope scope, FieldOwner owner)
{
    Json json = Json::object();
    for (const Field& field : allFields()) {
        if (field.scope != scope)
            continue;
        const FieldValue value = field.value(owner);
        const bool extent = scope == FieldScope::measure || scope == FieldScope::warmup;
        if (std::holds_alternative<std::monostate>(value))
            continue;
        if (field.required || extent || value != defaultOf(field))
            json[std::string(field.key)] = fieldValueToJson(value);
    }
    return json;
}

} // namespace

PlanReading parsePlan(std::string_view text, const std::filesystem::path& folder)
{
    PlanReading reading;
    reading.plan.folder = folder;
    if (text.size() > kLargestPlan) {
        reading.problems.push_back(
            {"", "the plan is larger than " + std::to_string(kLargestPlan >> 20) + " MiB", "give a smaller one"});
        return reading;
    }
    if (const auto sound = scanJson(text, kDeepestPlan); !sound) {
        reading.problems.push_back(sound.problem());
        return reading;
    }
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        reading.problems.push_back({"", "the plan is no JSON object", "write it in braces"});
        return reading;
    }
    PlanReader(reading).read(json);
    for (Target& target : reading.plan.targets)
        if (target.url.ends_with('/') && !target.url.ends_with("//"))
            target.url.pop_back();
    if (reading.problems.size() > kMostProblems)
        reading.problems.resize(kMostProblems);
    reading.plan.sourceJson = json.dump();
    return reading;
}

std::string formatPlan(const Plan& plan)
{
    Plan copy = plan;
    Json json = {{"schema", kPlanSchema}, {"schema_version", kPlanSchemaVersion}};
    json.update(objectOf(FieldScope::plan, &copy));
    for (RuntimeAsk& runtime : copy.runtimes)
        json["runtimes"][runtime.name] = objectOf(FieldScope::runtime, &runtime);
    json["targets"] = Json::array();
    for (Target& target : copy.targets)
        if (!target.control)
            json["targets"].push_back(objectOf(FieldScope::target, &target));
    json["workloads"] = Json::array();
    for (Workload& workload : copy.workloads) {
        json["workloads"].push_back(objectOf(FieldScope::workload, &workload));
        for (RequestTemplate& request : workload.requests)
            json["workloads"].back()[kRequestsKey].push_back(objectOf(FieldScope::request, &request));
    }
    Json load = objectOf(FieldScope::load, &copy.load);
    if (copy.load.find)
        load[kFindKey] = objectOf(FieldScope::find, &*copy.load.find);
    if (!load.empty())
        json["load"] = load;
    json["measure"] = objectOf(FieldScope::measure, &copy.measure);
    json["warmup"] = objectOf(FieldScope::warmup, &copy.warmup);
    if (const Json affinity = objectOf(FieldScope::affinity, &copy.affinity); !affinity.empty())
        json["affinity"] = affinity;
    if (const Json fairWork = objectOf(FieldScope::fairWork, &copy.fairWork); !fairWork.empty())
        json["fair_work"] = fairWork;
    if (!copy.publishedJson.empty())
        json["published"] = Json::parse(copy.publishedJson, nullptr, false);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace lapbench
