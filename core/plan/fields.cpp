#include "core/plan/fields.h"

#include "core/plan/field_row.h"

namespace lapbench {

namespace {

constexpr Section kSections[] = {
    {"schema", "\"lapbench-plan\"", "Says what kind of file this is."},
    {"schema_version", "1", "Version of the format."},
    {"runtimes", "object: name to runtime", "The runtimes that targets name."},
    {"targets", "list of targets", "The servers under test; the first one is what the others are compared with."},
    {"workloads", "list of workloads", "What is asked for; absent: GET /."},
    {"load", "object", "How hard."},
    {"measure", "object", "How long; exactly one of duration and requests."},
    {"warmup", "object", "What comes before the window; at most one of duration and requests."},
    {"affinity", "object", "Processors that the server and the generator are kept to."},
    {"fair_work", "object", "Whether and how it is looked at that all targets do the same work."},
    {"published", "object", "Published figures to be shown beside the measured ones; kept as it is."},
};

} // namespace

std::span<const Field> allFields()
{
    static const std::vector<Field> kFields = [] {
        const auto servers = fieldsOfServers();
        std::vector<Field> fields(servers.begin(), servers.end());
        for (const Field& field : fieldsOfLoad())
            fields.push_back(field);
        for (const Field& field : fieldsOfTrust())
            fields.push_back(field);
        return fields;
    }();
    return kFields;
}

std::span<const Section> allSections()
{
    return kSections;
}

const Field* findField(FieldScope scope, std::string_view key)
{
    for (const Field& field : allFields())
        if (field.scope == scope && field.key == key)
            return &field;
    return nullptr;
}

std::vector<std::string_view> keysOf(FieldScope scope)
{
    std::vector<std::string_view> keys;
    for (const Field& field : allFields())
        if (field.scope == scope)
            keys.push_back(field.key);
    if (scope == FieldScope::plan)
        for (const Section& section : kSections)
            keys.push_back(section.key);
    if (scope == FieldScope::load)
        keys.push_back("find");
    return keys;
}

FieldValue defaultOf(const Field& field)
{
    Plan plan;
    RuntimeAsk runtime;
    Target target;
    Goal goal;
    switch (field.scope) {
    case FieldScope::plan:
        return field.value(&plan);
    case FieldScope::runtime:
        return field.required ? FieldValue{} : field.value(&runtime);
    case FieldScope::target:
        return field.value(&target);
    case FieldScope::workload:
    case FieldScope::request:
        return field.value(&plan.workloads.front());
    case FieldScope::load:
        return field.value(&plan.load);
    case FieldScope::find:
        return field.value(&goal);
    case FieldScope::affinity:
        return field.value(&plan.affinity);
    case FieldScope::fairWork:
        return field.value(&plan.fairWork);
    case FieldScope::measure:
        return field.value(&plan.measure);
    case FieldScope::warmup:
        return field.value(&plan.warmup);
    }
    return {};
}

} // namespace lapbench
