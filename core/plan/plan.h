#pragma once

#include "core/base/clock.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapbench {

/// What kind of program a runtime is; `program` is anything that is started by a command.
enum class RuntimeKind { node, deno, bun, program };

/// How requests reach the wire (ARCHITECTURE, decision 3). `automatic` takes keep-alive wherever the plan allows it.
enum class TransportKind { automatic, keepAlive, curl };

/// A runtime a plan asks for: a kind at one exact version, or any executable.
struct RuntimeAsk {
    std::string name;                        ///< the key under "runtimes"
    RuntimeKind kind = RuntimeKind::program; ///< node, deno, bun, or program
    std::string version;                     ///< exact bare version; empty takes what PATH has
    std::string command;                     ///< kind program: the executable
};

/// A server under test: a runtime with an app, flags and environment; or a URL that is already up.
struct Target {
    std::string name;
    std::string label;                ///< for people; empty means `name`
    std::string runtime;              ///< key of a RuntimeAsk; empty with `url` or `command`
    std::vector<std::string> flags;   ///< for the runtime, before the app
    std::string app;                  ///< script, relative to the plan's folder or to resources/apps
    std::vector<std::string> args;    ///< for the app
    std::vector<std::string> command; ///< instead of runtime and app: a program with its arguments
    std::vector<std::pair<std::string, std::string>> env; ///< added to the environment; PORT is Lapbench's
    std::string url;                                      ///< instead of a start: base URL of a server already up
    std::optional<std::uint16_t> port;                    ///< a fixed port; else a free one is chosen
    std::string readyPath = "/";                          ///< what the readiness probe gets
    Nanoseconds readyTimeout = std::chrono::seconds(30);  ///< how long it may take to be ready
    bool builtin = false;                                 ///< the built-in server
    bool selected = true;                                 ///< false: only runs when asked for by name
    bool control = false; ///< the first target once more, for the noise of the machine (Plan::aaControl); not saved

    const std::string& shownName() const { return label.empty() ? name : label; }
};

/// One kind of request: texts with placeholders ({{random_int 1 9}} and so on, see core/workload/text_template.h), and
/// what counts as a right answer to it.
struct RequestTemplate {
    std::string name = "default";
    unsigned weight = 1; ///< how many of the workload's requests are of this kind, as a share of all weights
    std::string method = "GET";
    std::string path = "/";
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::string bodyFile; ///< instead of `body`: a file, relative to the plan's folder, sent as it is
    std::vector<std::pair<int, int>> expectStatus = {{200, 399}};     ///< inclusive ranges of right status codes
    std::optional<std::uint64_t> expectBytes;                         ///< exact length of the answer's body
    std::string expectContains;                                       ///< text that the body holds; empty: any
    std::vector<std::pair<std::string, std::string>> expectJson = {}; ///< JSON pointer (RFC 6901) and the value there
};

/// What one connection asks for: its own single request, or a weighted mix of several.
struct Workload : RequestTemplate {
    std::vector<RequestTemplate> requests; ///< the mix; empty: the workload itself is the only request
};

/// The version of HTTP that is asked for.
enum class HttpVersion {
    http1,          ///< HTTP/1.1
    http2,          ///< HTTP/2 over TLS
    http2Knowledge, ///< HTTP/2 without TLS, both sides knowing of it
    http3           ///< HTTP/3 over QUIC, where libcurl has it
};

/// How requests reach the server; the same for all of a trial.
struct WireOptions {
    TransportKind transport = TransportKind::automatic;
    HttpVersion http = HttpVersion::http1;
    unsigned streams = 1;                ///< requests at a time on one connection; more than one needs HTTP/2 or 3
    bool newConnections = false;         ///< a new connection for each request
    bool followRedirects = false;        ///< needs the curl transport
    bool insecure = false;               ///< the server's certificate is not checked
    std::string caCert;                  ///< file with the certificates to trust, instead of the system's
    std::string cert, key;               ///< files of the client's own certificate and its key
    std::vector<std::string> resolve;    ///< "host:port:address" instead of asking the name service
    std::vector<std::string> interfaces; ///< local addresses, taken in turn
    std::string unixSocket;              ///< path of a socket to connect to, whatever the URL's host
    bool ipv4 = false, ipv6 = false;     ///< only addresses of this kind; at most one of the two
    std::string proxy;                   ///< URL; empty: none, whatever the environment says
    Nanoseconds timeout = std::chrono::seconds(30);       ///< of one request
    Nanoseconds connectTimeout = std::chrono::seconds(5); ///< of one connection
};

/// What is to hold at a rate for it to count ("find"): latency from when a request was due, and errors.
struct Goal {
    std::optional<Nanoseconds> p50, p90, p95, p99, p99_9; ///< each that is set is the most it may be; at least one is
    double errors = 0.001;                                ///< share of the requests that may fail
    std::optional<unsigned> from, to; ///< bounds of the search, requests a second; absent: found by the search

    bool operator==(const Goal&) const = default;
};

/// How hard.
struct Load : WireOptions {
    std::vector<unsigned> connections = {64}; ///< one level each
    std::vector<unsigned> rates;     ///< requests a second; with each of `connections` one level; empty: closed
    std::string ramp;                ///< "R1..R2/T": open loop, the rate growing steadily; empty: none
    std::string steps;               ///< "R1,R2,../T": open loop, each rate for T; empty: none
    std::optional<Goal> find;        ///< open loop: the highest rate at which this holds is searched for
    std::optional<unsigned> threads; ///< absent: automatic
    std::uint64_t seed = 1;          ///< of all random values
};

/// How hard one trial presses: so many connections; with a rate, requests a second, it is an open loop. A plan's ramp
/// and steps have no rate of their own.
struct Level {
    unsigned connections = 1; ///< 0 only where another tool measured and does not tell
    std::optional<unsigned> rate;

    bool operator==(const Level&) const = default;
};

/// Ends by time or by an exact count; exactly one of the two is set. A warm-up may end when the load is steady instead.
struct Extent {
    std::optional<Nanoseconds> duration;
    std::optional<std::uint64_t> requests;
    bool untilSteady = false; ///< of a warm-up; then `duration` is the longest it may take, 60 s where absent

    bool operator==(const Extent&) const = default;
};

/// The order of the targets within a round.
enum class OrderKind {
    williams, ///< balanced for place and predecessor, see core/plan/williams.h
    rotate,   ///< round r starts with target r, the others follow in a ring
    fixed     ///< as listed, every round
};

/// Processors, by their numbers, that the server and the generator are kept to; empty: any.
struct Affinity {
    std::vector<unsigned> server, generator;

    bool operator==(const Affinity&) const = default;
};

/// Whether and how it is looked at that all targets do the same work.
struct FairWorkRules {
    bool audit = true;
    std::vector<std::string> ignore; ///< "body": length and content; a JSON pointer (RFC 6901): a field that may differ

    bool operator==(const FairWorkRules&) const = default;
};

/// The file that says all of a session; immutable once read. See `lapbench-cli fields --markdown`.
struct Plan {
    std::string name;
    std::string title; ///< for people; empty means `name`
    std::string description;
    std::vector<RuntimeAsk> runtimes;
    std::vector<Target> targets;
    std::vector<Workload> workloads = {Workload{}};
    Load load;
    Extent measure{std::chrono::seconds(10), std::nullopt};
    Extent warmup{Nanoseconds::zero(), std::nullopt}; ///< duration 0: none
    std::optional<unsigned> rounds;                   ///< absent: see ARCHITECTURE, "Rounds"
    std::optional<double> untilCi;                    ///< rounds go on until every interval is within +/- this share
    std::optional<Nanoseconds> budget;                ///< no round begins that would end later than this
    OrderKind order = OrderKind::williams;
    double equivalence = 0.02; ///< ratios within +/- this share are the same for all practical purposes
    bool aaControl = false;    ///< the first target runs a second time under another name
    unsigned coldStarts = 0;   ///< starts of each server before the first round, for the start-up time alone
    double noiseLimit = 0.20;  ///< share of noisy seconds above which a round is repeated
    unsigned noisyRepeats = 2; ///< how often at most
    Affinity affinity;
    FairWorkRules fairWork;
    Nanoseconds cooldown = Nanoseconds::zero(); ///< between trials
    std::string publishedJson;                  ///< "published" as compact JSON text; empty where absent

    std::filesystem::path folder; ///< where relative names start; not saved
    std::string sourceJson;       ///< the plan as read, compact JSON; goes into the result whole
    double scale = 1;             ///< --scale: already applied to counts, windows, warm-ups and waits
};

/// One target x workload x level x round of a plan.
struct TrialPlan {
    std::size_t index = 0;    ///< place in the session, from 0
    std::size_t target = 0;   ///< index into Plan::targets
    std::size_t workload = 0; ///< index into Plan::workloads
    Level level;
    unsigned round = 1;   ///< from 1
    unsigned order = 1;   ///< place of the target within its round, from 1
    unsigned attempt = 1; ///< from 1; a round that was too noisy is run again
};

} // namespace lapbench
