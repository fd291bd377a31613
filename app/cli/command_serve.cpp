#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/host/host_info.h"
#include "core/server/builtin_server.h"

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace lapbench {

namespace {

struct ServeOptions {
    std::optional<std::uint16_t> port;
    unsigned threads = 1;
};

/// As a server under test it is handed its port like any other.
std::uint16_t portFromEnvironment()
{
    const char* variable = std::getenv("PORT");
    const std::string_view text = variable ? variable : "";
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() ? port : 0;
}

ExitCode serve(const ServeOptions& options)
{
    // Blocked before the server's threads start, so that the signal waits for this one.
    sigset_t ending;
    ::sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    raiseDescriptorLimit();
    const auto server = BuiltinServer::start(options.port ? *options.port : portFromEnvironment(), options.threads);
    if (!server) {
        complain(server.problem());
        return ExitCode::nothingMeasured;
    }
    printOut("listening on http://127.0.0.1:" + std::to_string(server.value()->port()) + "\n");
    int signal = 0;
    ::sigwait(&ending, &signal);
    return ExitCode::done;
}

} // namespace

void addServe(CLI::App& app, const SessionPlaces&, Body& body)
{
    const auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand("serve", "Run the built-in server until Ctrl-C");
    command->add_option("--port", options->port,
                        "Port on 127.0.0.1; default: PORT of the environment, else a free one");
    command->add_option("--threads", options->threads, "Threads, 1 to 64")->check(CLI::Range(1u, 64u));
    command->callback([options, &body] { body = [options] { return serve(*options); }; });
}

} // namespace lapbench
