#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// A listening TCP socket of this network namespace.
struct Listener {
    std::uint64_t inode = 0;
    std::uint16_t port = 0;
    std::string address;        ///< "127.0.0.1", "::", ..
    bool takesLoopback = false; ///< answers on 127.0.0.1
};

/// All listening sockets, from /proc/net/tcp and tcp6. Any thread, as are all functions here.
std::vector<Listener> listeners(const std::filesystem::path& procRoot);

/// Who listens on a port, in words: "process 4711 (node)", or "another program" where it may not be seen.
std::string holderOf(const std::filesystem::path& procRoot, std::uint16_t port);

/// The port for a server: `wanted` if it is free (else a problem that names the holder), or a free one that the
/// kernel does not hand out to outgoing connections.
Result<std::uint16_t> choosePort(std::optional<std::uint16_t> wanted);

/// Whether the listener on 127.0.0.1:port belongs to a tree of processes.
struct PortOwnership {
    bool owned = false;
    std::string foreign; ///< someone else's, in words; empty where nobody listens at all
};
PortOwnership portOwnership(const std::filesystem::path& procRoot, std::uint16_t port, const std::vector<pid_t>& tree);

/// "127.0.0.1:3000, [::1]:3001": where the processes of a tree listen.
std::string listeningPlaces(const std::filesystem::path& procRoot, const std::vector<pid_t>& tree);

} // namespace lapbench
