#include "core/plan/fields.h"

#include "core/base/units.h"
#include "core/plan/words.h"

#include <array>
#include <type_traits>

namespace lapbench {

namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kHour = 3'600'000 * kMs;

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
void store(T& member, const FieldValue& value)
{
    if constexpr (IsOptional<T>::value) {
        if (std::holds_alternative<std::monostate>(value)) {
            member.reset();
            return;
        }
        store(member.emplace(), value);
    } else if constexpr (std::is_enum_v<T>) {
        const auto& word = std::get<std::string>(value);
        for (std::size_t i = 0; i < WordsOf<T>::words.size(); ++i)
            if (WordsOf<T>::words[i] == word)
                member = static_cast<T>(i);
    } else if constexpr (std::is_same_v<T, bool>) {
        member = std::get<bool>(value);
    } else if constexpr (std::is_unsigned_v<T>) {
        member = static_cast<T>(std::get<std::uint64_t>(value));
    } else {
        member = std::get<T>(value);
    }
}

template <typename T>
FieldValue fetch(const T& member)
{
    if constexpr (IsOptional<T>::value)
        return member ? fetch(*member) : FieldValue{};
    else if constexpr (std::is_enum_v<T>)
        return std::string(nameOf(member));
    else if constexpr (std::is_same_v<T, bool>)
        return member;
    else if constexpr (std::is_unsigned_v<T>)
        return static_cast<std::uint64_t>(member);
    else
        return member;
}

template <typename T>
struct MemberOf;
template <typename Class, typename Type>
struct MemberOf<Type Class::*> {
    using Owner = Class;
};

/// Completes a row with the functions that move its value into and out of the plan.
template <auto member>
constexpr Field row(Field field)
{
    using Owner = typename MemberOf<decltype(member)>::Owner;
    field.assign = [](FieldOwner owner, const FieldValue& value) { store(std::get<Owner*>(owner)->*member, value); };
    field.value = [](FieldOwner owner) { return fetch(std::get<Owner*>(owner)->*member); };
    return field;
}

using enum FieldScope;
using enum FieldType;

constexpr Field kFields[] = {
    row<&Plan::name>({.scope = plan,
                      .key = "name",
                      .type = text,
                      .required = true,
                      .help = "Short name, also of result files: letters, digits, dot, dash and underscore."}),
    row<&Plan::title>({.scope = plan, .key = "title", .type = text, .help = "Title for people; else the name."}),
    row<&Plan::description>({.scope = plan,
                             .key = "description",
                             .type = text,
                             .help = "What the plan measures, and where it comes from."}),
    row<&Plan::rounds>({.scope = plan,
                        .key = "rounds",
                        .type = integer,
                        .unit = "rounds",
                        .min = 1,
                        .max = 1000,
                        .help = "Repetitions of everything; absent: the smallest multiple of the number of targets (of "
                                "twice the number where it is odd) that is at least 6."}),
    row<&Plan::order>({.scope = plan,
                       .key = "order",
                       .type = word,
                       .words = WordsOf<OrderKind>::words,
                       .help = "Order of the targets within a round: rotate starts each round with the next target, "
                               "fixed keeps the order of the list."}),
    row<&Plan::cooldown>(
        {.scope = plan, .key = "cooldown", .type = duration, .max = kHour, .help = "Pause between two trials."}),

    row<&RuntimeAsk::kind>({.scope = runtime,
                            .key = "kind",
                            .type = word,
                            .words = WordsOf<RuntimeKind>::words,
                            .required = true,
                            .help = "What kind of program it is."}),
    row<&RuntimeAsk::version>({.scope = runtime,
                               .key = "version",
                               .type = text,
                               .help = "Exact version, such as 22.9.0; absent: the one found on PATH."}),
    row<&RuntimeAsk::command>(
        {.scope = runtime, .key = "command", .type = path, .help = "Executable, for kind program only."}),

    row<&Target::name>(
        {.scope = target, .key = "name", .type = text, .required = true, .help = "Short name, unique in the plan."}),
    row<&Target::label>({.scope = target, .key = "label", .type = text, .help = "Label for people; else the name."}),
    row<&Target::runtime>({.scope = target,
                           .key = "runtime",
                           .type = text,
                           .help = "Name of the runtime, under runtimes, that runs the app."}),
    row<&Target::flags>(
        {.scope = target, .key = "flags", .type = list, .help = "Flags for the runtime, before the app."}),
    row<&Target::app>({.scope = target,
                       .key = "app",
                       .type = path,
                       .help = "Server script, relative to the plan's folder or to the apps that come with Lapbench."}),
    row<&Target::args>({.scope = target, .key = "args", .type = list, .help = "Arguments for the app."}),
    row<&Target::command>({.scope = target,
                           .key = "command",
                           .type = list,
                           .help = "Instead of runtime and app: a program with its arguments."}),
    row<&Target::env>({.scope = target,
                       .key = "env",
                       .type = map,
                       .help = "Added to the server's environment; PORT is set by Lapbench."}),
    row<&Target::url>({.scope = target,
                       .key = "url",
                       .type = text,
                       .help = "Instead of a start: http://HOST:PORT of a server that is already up."}),
    row<&Target::builtin>(
        {.scope = target, .key = "builtin", .type = boolean, .help = "Instead of a start: the built-in server."}),
    row<&Target::port>({.scope = target,
                        .key = "port",
                        .type = integer,
                        .min = 1,
                        .max = 65535,
                        .help = "A fixed port; absent: a free one is chosen and handed over as PORT."}),
    row<&Target::readyPath>(
        {.scope = target, .key = "ready_path", .type = text, .help = "What the readiness probe asks for."}),
    row<&Target::readyTimeout>({.scope = target,
                                .key = "ready_timeout",
                                .type = duration,
                                .min = kMs,
                                .max = kHour,
                                .help = "How long the server may take until it is ready."}),
    row<&Target::selected>({.scope = target,
                            .key = "selected",
                            .type = boolean,
                            .help = "false: the target only runs when it is asked for by name."}),

    row<&Workload::name>({.scope = workload, .key = "name", .type = text, .help = "Short name, unique in the plan."}),
    row<&Workload::method>(
        {.scope = workload, .key = "method", .type = text, .flags = "-X,--method", .help = "HTTP method."}),
    row<&Workload::path>({.scope = workload, .key = "path", .type = text, .help = "Path with query, from the slash."}),
    row<&Workload::headers>({.scope = workload,
                             .key = "headers",
                             .type = map,
                             .flags = "-H,--header",
                             .help = "Request header, 'K: V' on the command line; several are allowed."}),
    row<&Workload::body>(
        {.scope = workload, .key = "body", .type = text, .flags = "-b,--body", .help = "Request body."}),
    row<&Workload::expectStatus>({.scope = workload,
                                  .key = "expect_status",
                                  .type = statuses,
                                  .flags = "--expect-status",
                                  .help = "Status codes of right answers, such as 200-299,304."}),
    row<&Workload::expectBytes>({.scope = workload,
                                 .key = "expect_bytes",
                                 .type = count,
                                 .flags = "--expect-bytes",
                                 .unit = "bytes",
                                 .help = "Exact length of the body of right answers."}),

    row<&Load::connections>({.scope = FieldScope::load,
                             .key = "connections",
                             .type = levels,
                             .flags = "-c,--connections",
                             .unit = "connections",
                             .min = 1,
                             .max = 1'000'000,
                             .help = "Open connections, each of which sends its next request when its answer has "
                                     "ended; several numbers are several levels."}),
    row<&Load::threads>({.scope = FieldScope::load,
                         .key = "threads",
                         .type = integer,
                         .flags = "-t,--threads",
                         .unit = "threads",
                         .min = 1,
                         .max = 256,
                         .automatic = "auto",
                         .help = "Threads of the generator; auto takes half of the processors, at most 8."}),
    row<&Load::transport>({.scope = FieldScope::load,
                           .key = "transport",
                           .type = word,
                           .flags = "--transport",
                           .words = WordsOf<TransportKind>::words,
                           .help =
                               "How requests reach the wire: keep-alive exchanges them on connections that "
                               "libcurl opened, curl does everything in libcurl, auto takes keep-alive where it can."}),
    row<&Load::newConnections>({.scope = FieldScope::load,
                                .key = "new_connections",
                                .type = boolean,
                                .flags = "--new-connections",
                                .help = "A new connection for each request."}),
    row<&Load::timeout>({.scope = FieldScope::load,
                         .key = "timeout",
                         .type = duration,
                         .flags = "--timeout",
                         .min = kMs,
                         .max = kHour,
                         .help = "How long one request may take."}),
    row<&Load::connectTimeout>({.scope = FieldScope::load,
                                .key = "connect_timeout",
                                .type = duration,
                                .flags = "--connect-timeout",
                                .min = kMs,
                                .max = kHour,
                                .help = "How long it may take to open one connection."}),

    row<&Extent::duration>({.scope = measure,
                            .key = "duration",
                            .type = duration,
                            .flags = "-d,--duration",
                            .min = kMs,
                            .max = 24 * kHour,
                            .help = "Length of the measured window."}),
    row<&Extent::requests>({.scope = measure,
                            .key = "requests",
                            .type = count,
                            .flags = "-n,--requests",
                            .unit = "requests",
                            .min = 1,
                            .help = "Exact number of measured requests, instead of a duration."}),
    row<&Extent::duration>({.scope = warmup,
                            .key = "duration",
                            .type = duration,
                            .flags = "-w,--warmup",
                            .max = 24 * kHour,
                            .help = "Load before the measured window, not counted."}),
    row<&Extent::requests>({.scope = warmup,
                            .key = "requests",
                            .type = count,
                            .flags = "-w,--warmup",
                            .unit = "requests",
                            .help = "Number of requests before the measured window, instead of a "
                                    "duration."}),
};

constexpr Section kSections[] = {
    {"schema", "\"lapbench-plan\"", "Says what kind of file this is."},
    {"schema_version", "1", "Version of the format."},
    {"runtimes", "object: name to runtime", "The runtimes that targets name."},
    {"targets", "list of targets", "The servers under test; the first one is what the others are compared with."},
    {"workloads", "list of workloads", "What is asked for; absent: GET /."},
    {"load", "object", "How hard."},
    {"measure", "object", "How long; exactly one of duration and requests."},
    {"warmup", "object", "What comes before the window; at most one of duration and requests."},
    {"published", "object", "Published figures to be shown beside the measured ones; kept as it is."},
};

} // namespace

std::span<const Field> allFields()
{
    return kFields;
}

std::span<const Section> allSections()
{
    return kSections;
}

const Field* findField(FieldScope scope, std::string_view key)
{
    for (const Field& field : kFields)
        if (field.scope == scope && field.key == key)
            return &field;
    return nullptr;
}

std::vector<std::string_view> keysOf(FieldScope scope)
{
    std::vector<std::string_view> keys;
    for (const Field& field : kFields)
        if (field.scope == scope)
            keys.push_back(field.key);
    if (scope == FieldScope::plan)
        for (const Section& section : kSections)
            keys.push_back(section.key);
    return keys;
}

FieldValue defaultOf(const Field& field)
{
    Plan plan;
    RuntimeAsk runtime;
    Target target;
    switch (field.scope) {
    case FieldScope::plan:
        return field.value(&plan);
    case FieldScope::runtime:
        return field.required ? FieldValue{} : field.value(&runtime);
    case FieldScope::target:
        return field.value(&target);
    case FieldScope::workload:
        return field.value(&plan.workloads.front());
    case FieldScope::load:
        return field.value(&plan.load);
    case FieldScope::measure:
        return field.value(&plan.measure);
    case FieldScope::warmup:
        return field.value(&plan.warmup);
    }
    return {};
}

} // namespace lapbench
