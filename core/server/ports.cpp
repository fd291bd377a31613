#include "core/server/ports.h"

#include "core/base/owned_fd.h"
#include "core/server/process_tree.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::uint16_t kLowestChosen = 10000;
constexpr const char* kListening = "0A";

/// The address of /proc/net/tcp{,6}: each 32-bit word printed in hex in the machine's own byte order.
std::optional<std::vector<std::uint32_t>> wordsOf(std::string_view hex)
{
    std::vector<std::uint32_t> words;
    for (; hex.size() >= 8; hex.remove_prefix(8)) {
        std::uint32_t word = 0;
        if (std::from_chars(hex.data(), hex.data() + 8, word, 16).ec != std::errc())
            return std::nullopt;
        words.push_back(word);
    }
    if (words.size() != 1 && words.size() != 4)
        return std::nullopt;
    return words;
}

std::optional<Listener> parseListener(const std::string& line)
{
    std::istringstream fields(line);
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout;
    Listener listener;
    if (!(fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >>
          listener.inode) ||
        state != kListening)
        return std::nullopt;
    const std::size_t colon = local.find(':');
    if (colon == std::string::npos)
        return std::nullopt;
    const auto words = wordsOf(std::string_view(local).substr(0, colon));
    if (!words ||
        std::from_chars(local.data() + colon + 1, local.data() + local.size(), listener.port, 16).ec != std::errc())
        return std::nullopt;
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(words->size() == 1 ? AF_INET : AF_INET6, words->data(), text.data(), text.size());
    listener.address = text.data();
    listener.takesLoopback = listener.address == "127.0.0.1" || listener.address == "0.0.0.0" ||
                             listener.address == "::" || listener.address == "::ffff:127.0.0.1";
    return listener;
}

/// 0, or the errno of binding 127.0.0.1:port and every address.
int bindError(std::uint16_t port, bool overTimeWait)
{
    for (const in_addr_t host : {INADDR_LOOPBACK, INADDR_ANY}) {
        const OwnedFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int on = overTimeWait ? 1 : 0;
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(host);
        if (!fd.open() || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            return errno;
    }
    return 0;
}

bool isListenedOn(std::uint16_t port)
{
    const auto all = listeners("/proc");
    return std::any_of(all.begin(), all.end(), [&](const Listener& listener) { return listener.port == port; });
}

std::set<std::uint64_t> socketsOfTree(const fs::path& procRoot, const std::vector<pid_t>& tree, bool& allReadable)
{
    std::set<std::uint64_t> inodes;
    allReadable = true;
    for (const pid_t pid : tree) {
        if (const auto sockets = socketsOf(procRoot, pid))
            inodes.insert(sockets->begin(), sockets->end());
        else
            allReadable = false;
    }
    return inodes;
}

std::string holderOfInodes(const fs::path& procRoot, const std::set<std::uint64_t>& inodes)
{
    for (const ProcessStat& process : allProcesses(procRoot)) {
        const auto sockets = socketsOf(procRoot, process.pid);
        if (sockets &&
            std::any_of(sockets->begin(), sockets->end(), [&](auto inode) { return inodes.contains(inode); }))
            return "process " + std::to_string(process.pid) + " (" + processName(procRoot, process.pid) + ")";
    }
    return "another program";
}

} // namespace

std::vector<Listener> listeners(const fs::path& procRoot)
{
    std::vector<Listener> found;
    for (const char* name : {"net/tcp", "net/tcp6"}) {
        std::ifstream file(procRoot / name);
        for (std::string line; std::getline(file, line);)
            if (auto listener = parseListener(line))
                found.push_back(std::move(*listener));
    }
    return found;
}

std::string holderOf(const fs::path& procRoot, std::uint16_t port)
{
    std::set<std::uint64_t> inodes;
    for (const Listener& listener : listeners(procRoot))
        if (listener.port == port)
            inodes.insert(listener.inode);
    return holderOfInodes(procRoot, inodes);
}

Result<std::uint16_t> choosePort(std::optional<std::uint16_t> wanted)
{
    if (wanted) {
        const int error = bindError(*wanted, true);
        if (error == EACCES)
            return Problem{"port " + std::to_string(*wanted), "ports below 1024 need more rights",
                           "choose a port from 1024 on"};
        if (error != 0 || isListenedOn(*wanted))
            return Problem{"port " + std::to_string(*wanted), "is taken by " + holderOf("/proc", *wanted),
                           "end that program or choose another port"};
        return *wanted;
    }
    // Not one of the ports the kernel gives to outgoing connections: the load generator's own would get in the way.
    unsigned lowestEphemeral = 32768;
    std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> lowestEphemeral;
    constexpr unsigned kAttempts = 200;
    if (lowestEphemeral > kLowestChosen + kAttempts && lowestEphemeral <= 65535) {
        std::random_device random;
        for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
            const auto port = static_cast<std::uint16_t>(kLowestChosen + random() % (lowestEphemeral - kLowestChosen));
            if (bindError(port, false) == 0 && !isListenedOn(port))
                return port;
        }
    }
    const OwnedFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return Problem{"127.0.0.1", std::string("no free port: ") + std::strerror(errno),
                       "end programs that hold ports"};
    return ntohs(address.sin_port);
}

PortOwnership portOwnership(const fs::path& procRoot, std::uint16_t port, const std::vector<pid_t>& tree)
{
    bool allReadable = true;
    const std::set<std::uint64_t> mine = socketsOfTree(procRoot, tree, allReadable);
    std::set<std::uint64_t> foreign;
    bool anyMine = false;
    for (const Listener& listener : listeners(procRoot)) {
        if (listener.port != port || !listener.takesLoopback)
            continue;
        if (mine.contains(listener.inode))
            anyMine = true;
        else
            foreign.insert(listener.inode);
    }
    if (foreign.empty())
        return {anyMine, ""};
    // A program with raised rights keeps its descriptors to itself. The port was free before it was started, so a
    // listener that nobody else visibly holds is taken to be its own.
    const std::string holder = holderOfInodes(procRoot, foreign);
    if (!allReadable && holder == "another program")
        return {true, ""};
    return {false, holder};
}

std::string listeningPlaces(const fs::path& procRoot, const std::vector<pid_t>& tree)
{
    bool allReadable = true;
    const std::set<std::uint64_t> mine = socketsOfTree(procRoot, tree, allReadable);
    std::string places;
    for (const Listener& listener : listeners(procRoot)) {
        if (!mine.contains(listener.inode))
            continue;
        const bool six = listener.address.find(':') != std::string::npos;
        places += (places.empty() ? "" : ", ") + (six ? "[" + listener.address + "]" : listener.address) + ":" +
                  std::to_string(listener.port);
    }
    return places;
}

} // namespace lapbench
