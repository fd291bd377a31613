#include "core/load/limits.h"

#include "core/base/owned_fd.h"
#include "core/load/curl_multi_transport.h"
#include "core/load/local_address.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

namespace lapbench {

namespace {

constexpr std::uint64_t kPerWorker = 3; // the poller's two, and one that libcurl may want
constexpr std::uint64_t kPerMulti = 2;  // a multi handle's own wake-up
constexpr std::uint64_t kSpare = 16;    // files that are written meanwhile

std::uint64_t openDescriptors()
{
    std::error_code error;
    std::filesystem::directory_iterator entries("/proc/self/fd", error);
    return error ? 3 : static_cast<std::uint64_t>(std::distance(begin(entries), end(entries)));
}

/// Multi handles: a connection has its own where it has TLS and is read by us, or has several streams.
std::uint64_t multisOf(const LimitsAsked& asked)
{
    const bool curl = asked.transport == TransportKind::curl;
    if (curl ? asked.options.http != HttpVersion::http1 : asked.secure)
        return asked.connections;
    if (curl)
        return asked.connections / CurlMultiTransport::kMostOfMulti + 2 * asked.workers; // one looks for the server
    if (asked.options.newConnections)
        return asked.connections / CurlDriver::kMostTransfers + asked.workers;
    return asked.workers;
}

std::uint64_t reservedWithin(const std::filesystem::path& proc, std::uint64_t low, std::uint64_t high)
{
    std::ifstream file(proc / "sys/net/ipv4/ip_local_reserved_ports");
    std::uint64_t reserved = 0;
    for (std::string part; std::getline(file, part, ',');) {
        std::istringstream text(part);
        std::uint64_t from = 0, to = 0;
        char dash = 0;
        if (!(text >> from))
            continue;
        to = text >> dash >> to ? to : from;
        from = std::max(from, low);
        to = std::min(to, high);
        reserved += from <= to ? to - from + 1 : 0;
    }
    return reserved;
}

} // namespace

std::uint64_t descriptorsNeeded(const LimitsAsked& asked)
{
    return asked.connections + kPerWorker * asked.workers + kPerMulti * multisOf(asked) + kSpare;
}

Result<void> checkDescriptors(const LimitsAsked& asked)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return {};
    const std::uint64_t needed = openDescriptors() + descriptorsNeeded(asked);
    if (needed <= limit.rlim_cur)
        return {};
    const std::string hard = limit.rlim_max == RLIM_INFINITY ? "no end" : std::to_string(limit.rlim_max);
    return Problem{"connections",
                   std::to_string(asked.connections) + " connections need " + std::to_string(needed) +
                       " open files and this process may have " + std::to_string(limit.rlim_cur),
                   needed <= limit.rlim_max
                       ? "raise the limit with ulimit -n " + std::to_string(needed) + " (it may go up to " + hard + ")"
                       : "ask for fewer connections, or let root raise the hard limit of " + hard};
}

Result<void> checkPorts(const LimitsAsked& asked, const std::filesystem::path& proc)
{
    if (!asked.options.unixSocket.empty() || asked.options.http == HttpVersion::http3)
        return {};
    std::uint64_t low = 0, high = 0;
    std::ifstream file(proc / "sys/net/ipv4/ip_local_port_range");
    if (!(file >> low >> high) || low > high)
        return {};
    const std::uint64_t ports = high - low + 1 - reservedWithin(proc, low, high);
    const std::uint64_t addresses = std::max<std::size_t>(1, asked.options.interfaces.size());
    if (asked.connections <= ports * addresses)
        return {};
    const std::uint64_t wanted = ports == 0 ? 0 : (asked.connections + ports - 1) / ports;
    const std::string from = addresses == 1 ? "one local address has" : "each local address has";
    return Problem{"connections",
                   std::to_string(asked.connections) + " connections to one address need as many local ports and " +
                       from + " " + std::to_string(ports) + " (" + std::to_string(low) + "-" + std::to_string(high) +
                       ")",
                   (wanted == 0 ? std::string()
                                : "name " + std::to_string(wanted) + " local addresses with --interface ADDR,.., or ") +
                       "widen the range with sysctl net.ipv4.ip_local_port_range=\"1024 65535\""};
}

Result<void> checkInterfaces(const WireOptions& options)
{
    for (const std::string& text : options.interfaces) {
        const auto address = parseLocalAddress(text);
        if (!address)
            return Problem{"interface", "\"" + text + "\" is no address", "give local addresses such as 127.0.0.2"};
        const OwnedFd fd(::socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!fd.open() || ::bind(fd.get(), address->any(), address->size()) != 0)
            return Problem{"interface", "\"" + text + "\" cannot be used here: " + std::strerror(errno),
                           "give an address of this machine (ip address lists them)"};
    }
    return {};
}

} // namespace lapbench
