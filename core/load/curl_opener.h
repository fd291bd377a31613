#pragma once

#include "core/base/clock.h"
#include "core/load/curl_driver.h"
#include "core/load/curl_endpoint.h"
#include "core/load/transport.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// Opens connections through a libcurl multi handle (CURLOPT_CONNECT_ONLY) and gives them away: the descriptor then
/// belongs to whoever took it, and nothing of it stays in libcurl. At most kMostTransfers at once, the others wait in
/// line. Stays where it is made; one thread.
class CurlOpener {
public:
    /// How an attempt ended: a descriptor, or a failure.
    struct Outcome {
        unsigned slot = 0;
        int fd = -1;
        std::int64_t connectNs = 0;
        std::optional<Failure> failure;
    };

    CurlOpener(Poller& poller, std::uint32_t index, const Endpoint& endpoint, Nanoseconds connectTimeout);
    ~CurlOpener();
    CurlOpener(const CurlOpener&) = delete;
    CurlOpener& operator=(const CurlOpener&) = delete;

    /// Asks for one connection for `slot`.
    void ask(unsigned slot);
    std::int64_t dueNs() const { return m_driver.dueNs(); }
    void onTime() { m_driver.onTime(); }
    void onSocket(const epoll_event& event) { m_driver.onSocket(event); }
    /// What has ended since the last call; makes room for those waiting. Descriptors in it are the caller's.
    const std::vector<Outcome>& collect();

private:
    struct Attempt {
        CurlOpener* owner = nullptr;
        CurlEasy easy;
        unsigned slot = 0;
        std::int64_t askedNs = 0;
        int handedOut = -1;
        bool released = false; ///< libcurl let go of the descriptor that was handed out
        int socketErrno = 0;
        char message[CURL_ERROR_SIZE] = "";
    };
    static curl_socket_t openSocket(void* attempt, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* attempt, curl_socket_t fd);
    Attempt* makeAttempt();
    void begin();
    Outcome conclude(Attempt& attempt, CURLcode code);

    const Endpoint& m_endpoint;
    long m_timeoutMs;
    CurlList m_pin;
    std::deque<unsigned> m_waiting;
    std::vector<std::unique_ptr<Attempt>> m_attempts;
    std::vector<Attempt*> m_idle;
    std::vector<Outcome> m_outcomes;
    CurlDriver m_driver; // the last member: closing its connections still needs the attempts
};

/// The failure that an error number of connect() or socket() stands for.
Failure connectFailure(int error, const std::string& otherwise);

} // namespace lapbench
