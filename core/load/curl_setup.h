#pragma once

#include "core/load/curl_handle.h"
#include "core/load/local_address.h"
#include "core/load/wire_task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapbench {

/// How a trial's connections are opened, whichever transport uses them: the options of the wire on a libcurl handle.
/// Owned by a transport and used on its thread; outlives the handles it was applied to.
class CurlSetup {
public:
    /// Keeps a reference to what the task refers to.
    explicit CurlSetup(const WireTask& task);

    void apply(CURL* easy) const;
    /// A socket for a connection of this slot, bound to the local address whose turn it is; CURL_SOCKET_BAD with errno.
    curl_socket_t openSocket(unsigned slot, const curl_sockaddr& address) const;
    const WireTask& task() const { return m_task; }
    /// Whether a failed attempt, begun then, is to be made again in a moment: a Unix socket whose server has a full
    /// line refuses at once (EAGAIN, which libcurl does not always hand on).
    bool mayTryAgain(CURL* easy, CURLcode code, std::int64_t sinceNs) const;
    static constexpr std::int64_t kMomentNs = 1'000'000;

private:
    const WireTask m_task;
    CurlList m_pin;
    std::vector<LocalAddress> m_four, m_six;
};

/// A duration as libcurl takes it, rounded up.
long curlMs(Nanoseconds duration);

/// Appends to a list that may be empty.
void append(CurlList& list, const std::string& line);

/// Whether this libcurl can speak that version. The problem names the libcurl.
Result<void> checkCurlSpeaks(HttpVersion http);

} // namespace lapbench
