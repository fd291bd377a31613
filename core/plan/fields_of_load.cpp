#include "core/plan/field_row.h"

#include <array>

namespace lapbench {

using namespace field_row;

namespace {

using enum FieldType;

/// What a workload says itself or, in a mix, each of its requests; only the former has flags on the command line.
template <FieldScope scope>
constexpr Field requestRow(Field field)
{
    field.scope = scope;
    if (scope == FieldScope::request)
        field.flags = {};
    return field;
}

template <FieldScope scope>
constexpr std::array kRequestFields = {
    requestRow<scope>(
        row<&RequestTemplate::name>({.key = "name", .type = text, .help = "Short name, unique in its list."})),
    requestRow<scope>(
        row<&RequestTemplate::method>({.key = "method", .type = text, .flags = "-X,--method", .help = "HTTP method."})),
    requestRow<scope>(row<&RequestTemplate::path>(
        {.key = "path", .type = text, .help = "Path with query, from the slash; may hold placeholders."})),
    requestRow<scope>(row<&RequestTemplate::headers>(
        {.key = "headers",
         .type = map,
         .flags = "-H,--header",
         .help = "Request header, 'K: V' on the command line; several are allowed. Values may hold placeholders."})),
    requestRow<scope>(row<&RequestTemplate::body>(
        {.key = "body", .type = text, .flags = "-b,--body", .help = "Request body; may hold placeholders."})),
    requestRow<scope>(row<&RequestTemplate::bodyFile>(
        {.key = "body_file",
         .type = path,
         .flags = "--body-file",
         .help = "File that holds the request body, sent as it is; relative to the plan's folder."})),
    requestRow<scope>(
        row<&RequestTemplate::expectStatus>({.key = "expect_status",
                                             .type = statuses,
                                             .flags = "--expect-status",
                                             .help = "Status codes of right answers, such as 200-299,304."})),
    requestRow<scope>(row<&RequestTemplate::expectBytes>({.key = "expect_bytes",
                                                          .type = count,
                                                          .flags = "--expect-bytes",
                                                          .unit = "bytes",
                                                          .help = "Exact length of the body of right answers."})),
    requestRow<scope>(row<&RequestTemplate::expectContains>({.key = "expect_contains",
                                                             .type = text,
                                                             .flags = "--expect-contains",
                                                             .help = "Text that the body of right answers holds."})),
    requestRow<scope>(row<&RequestTemplate::expectJson>(
        {.key = "expect_json",
         .type = map,
         .flags = "--expect-json",
         .separator = '=',
         .help = "JSON pointer and the value that right answers have there, /user/id=42 on the command line; several "
                 "are allowed."})),
};

constexpr Field kWeight = row<&RequestTemplate::weight>(
    {.scope = FieldScope::request,
     .key = "weight",
     .type = integer,
     .min = 1,
     .max = 1000,
     .help = "How many of the workload's requests are of this kind, as a share of all weights; the shares are exact."});

using enum FieldScope;

constexpr Field kLoadFields[] = {
    row<&Load::connections>({.scope = FieldScope::load,
                             .key = "connections",
                             .type = levels,
                             .flags = "-c,--connections",
                             .unit = "connections",
                             .min = 1,
                             .max = 1'000'000,
                             .help = "Open connections, each of which sends its next request when its answer has "
                                     "ended; in a plan several numbers are several levels."}),
    row<&Load::rates>({.scope = FieldScope::load,
                       .key = "rate",
                       .type = levels,
                       .flags = "-r,--rate",
                       .unit = "requests/s",
                       .min = 1,
                       .max = 100'000'000,
                       .help = "Open loop: so many requests a second are due whatever the server does, and latency "
                               "counts from when each was due. In a plan several numbers are several levels; absent: "
                               "closed loop."}),
    row<&Load::ramp>({.scope = FieldScope::load,
                      .key = "ramp",
                      .type = text,
                      .flags = "--ramp",
                      .help = "Open loop with a rate that grows steadily: R1..R2/T, such as 100..5000/30s."}),
    row<&Load::steps>({.scope = FieldScope::load,
                       .key = "steps",
                       .type = text,
                       .flags = "--steps",
                       .help = "Open loop with one rate after the other, each for T: R1,R2,../T, such as "
                               "1000,2000,4000/10s."}),
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
    row<&Load::http>({.scope = FieldScope::load,
                      .key = "http",
                      .type = word,
                      .flags = "--http",
                      .words = WordsOf<HttpVersion>::words,
                      .help = "Version of HTTP; 2 needs https, 2-prior-knowledge is HTTP/2 without TLS. All but 1.1 go "
                              "through libcurl."}),
    row<&Load::streams>({.scope = FieldScope::load,
                         .key = "streams",
                         .type = integer,
                         .flags = "--streams",
                         .unit = "streams",
                         .min = 1,
                         .max = 1000,
                         .help = "Requests at a time on one connection, with HTTP/2 and 3."}),
    row<&Load::newConnections>({.scope = FieldScope::load,
                                .key = "new_connections",
                                .type = boolean,
                                .flags = "--new-connections",
                                .help = "A new connection for each request."}),
    row<&Load::followRedirects>({.scope = FieldScope::load,
                                 .key = "follow_redirects",
                                 .type = boolean,
                                 .flags = "--follow-redirects",
                                 .help = "Go where a redirect points, on the same host; one request then counts until "
                                         "its last answer."}),
    row<&Load::insecure>({.scope = FieldScope::load,
                          .key = "insecure",
                          .type = boolean,
                          .flags = "--insecure",
                          .help = "Take any certificate of the server."}),
    row<&Load::caCert>({.scope = FieldScope::load,
                        .key = "cacert",
                        .type = path,
                        .flags = "--cacert",
                        .help = "PEM file with the certificates to trust, instead of the system's."}),
    row<&Load::cert>({.scope = FieldScope::load,
                      .key = "cert",
                      .type = path,
                      .flags = "--cert",
                      .help = "PEM file with the client's own certificate."}),
    row<&Load::key>({.scope = FieldScope::load,
                     .key = "key",
                     .type = path,
                     .flags = "--key",
                     .help = "PEM file with the key of the client's certificate."}),
    row<&Load::resolve>({.scope = FieldScope::load,
                         .key = "resolve",
                         .type = list,
                         .flags = "--resolve",
                         .help = "HOST:PORT:ADDRESS: take this address instead of asking the name service; several are "
                                 "allowed."}),
    row<&Load::interfaces>({.scope = FieldScope::load,
                            .key = "interface",
                            .type = list,
                            .flags = "--interface",
                            .separator = ',',
                            .help = "Local addresses that connections come from, in turn: each has ports of its own."}),
    row<&Load::unixSocket>({.scope = FieldScope::load,
                            .key = "unix_socket",
                            .type = path,
                            .flags = "--unix-socket",
                            .help = "Connect to this socket, whatever the host of the URL."}),
    row<&Load::ipv4>({.scope = FieldScope::load,
                      .key = "ipv4",
                      .type = boolean,
                      .flags = "-4,--ipv4",
                      .help = "Only IPv4 addresses."}),
    row<&Load::ipv6>({.scope = FieldScope::load,
                      .key = "ipv6",
                      .type = boolean,
                      .flags = "-6,--ipv6",
                      .help = "Only IPv6 addresses."}),
    row<&Load::proxy>({.scope = FieldScope::load,
                       .key = "proxy",
                       .type = text,
                       .flags = "--proxy",
                       .help = "URL of a proxy; absent: none, whatever the environment says."}),
    row<&Load::seed>({.scope = FieldScope::load,
                      .key = "seed",
                      .type = count,
                      .flags = "--seed",
                      .help = "Start of all random values: the same seed asks the same questions."}),
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
    row<&Extent::untilSteady>({.scope = warmup,
                               .key = "until_steady",
                               .type = boolean,
                               .flags = "-w,--warmup",
                               .automatic = "auto",
                               .help = "Warm up until the requests a second are steady, at most for the duration (60s "
                                       "where none is given)."}),
};

} // namespace

std::vector<Field> fieldsOfLoad()
{
    std::vector<Field> fields(kRequestFields<workload>.begin(), kRequestFields<workload>.end());
    fields.insert(fields.end(), kRequestFields<request>.begin(), kRequestFields<request>.end());
    fields.push_back(kWeight);
    fields.insert(fields.end(), std::begin(kLoadFields), std::end(kLoadFields));
    return fields;
}

} // namespace lapbench
