#include "core/plan/field_row.h"

namespace lapbench {

using namespace field_row;

namespace {

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
                       .help = "Order of the targets within a round: williams balances place and predecessor over the "
                               "rounds, rotate starts each round with the next target, fixed keeps the order of the "
                               "list."}),
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
};

} // namespace

std::span<const Field> fieldsOfServers()
{
    return kFields;
}

} // namespace lapbench
