// One trial of the load core without anything around it: load_probe URL CONNECTIONS THREADS SECONDS|nREQUESTS
// keep-alive|curl. Prints one line of figures; for measuring the generator itself (tests/bench/peers and instructions).

#include "core/load/engine.h"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace lapbench;

namespace {

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 6) {
        std::fprintf(stderr, "load_probe URL CONNECTIONS THREADS SECONDS|nREQUESTS keep-alive|curl\n");
        return 2;
    }
    LoadTask task;
    task.url = argv[1];
    task.connections = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    task.threads = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    if (argv[4][0] == 'n')
        task.measure.requests = std::strtoull(argv[4] + 1, nullptr, 10);
    else
        task.measure.duration = Nanoseconds(static_cast<std::int64_t>(std::strtod(argv[4], nullptr) * 1e9));
    task.transport = std::string(argv[5]) == "curl" ? TransportKind::curl : TransportKind::keepAlive;
    task.timeout = std::chrono::seconds(30);
    task.connectTimeout = std::chrono::seconds(5);
    const auto report = runLoad(task, {});
    if (!report) {
        std::fprintf(stderr, "%s\n", format(report.problem()).c_str());
        return 2;
    }
    const LoadFigures& figures = report.value().figures;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto us = [&](const char* key) {
        const auto value = figures.latency.percentile(key);
        return value ? value->us : -1;
    };
    std::printf(
        "rps %.0f ok %llu failed %llu unfinished %llu user_s %.4f sys_s %.4f p50_us %.1f p99_us %.1f mean_us %.1f "
        "cpu_us_per_request %.2f opened %u reconnects %llu rss_kb %ld connect_p50_us %.0f\n",
        figures.rps.value_or(0), static_cast<unsigned long long>(figures.ok),
        static_cast<unsigned long long>(figures.failed), static_cast<unsigned long long>(figures.unfinished),
        seconds(used.ru_utime), seconds(used.ru_stime), us("p50"), us("p99"), figures.latency.meanUs.value_or(-1),
        figures.generatorCpuUsPerRequest.value_or(-1), figures.connectionsOpened,
        static_cast<unsigned long long>(figures.reconnects), used.ru_maxrss, figures.connectTime.p50Us.value_or(-1));
    for (const ErrorCount& error : figures.errors)
        std::printf("error %s in %s: %llu, first at %.3f s: %s | %.60s\n",
                    std::string(errorKindName(error.kind)).c_str(), std::string(phaseName(error.phase)).c_str(),
                    static_cast<unsigned long long>(error.count), error.firstAtSeconds, error.firstMessage.c_str(),
                    error.firstResponseHead.c_str());
    return 0;
}
