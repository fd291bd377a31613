#pragma once

#include "core/load/curl_driver.h"
#include "core/load/curl_setup.h"
#include "core/load/opener.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace lapbench {

/// Opens connections through a libcurl multi handle (CURLOPT_CONNECT_ONLY) and gives them away: the descriptor then
/// belongs to whoever took it, and nothing of it stays in libcurl. At most kMostTransfers at once, the others wait in
/// line. Stays where it is made; one thread.
class CurlOpener final : public Opener {
public:
    /// Keeps references to what it is given.
    CurlOpener(Poller& poller, CurlSockets& sockets, std::uint32_t index, const CurlSetup& setup);
    ~CurlOpener() override;
    CurlOpener(const CurlOpener&) = delete;
    CurlOpener& operator=(const CurlOpener&) = delete;

    void ask(unsigned slot) override;
    std::int64_t dueNs() const override { return std::min(m_driver.dueNs(), m_retryNs); }
    void onTime(std::int64_t nowNs) override;
    void onSocket(const epoll_event& event) override { m_driver.onSocket(event); }
    const std::vector<Opened>& collect() override;

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
    Opened conclude(Attempt& attempt, CURLcode code);

    const CurlSetup& m_setup;
    struct Asked {
        unsigned slot = 0;
        std::int64_t sinceNs = 0; ///< 0: nothing has been tried
    };
    std::deque<Asked> m_waiting;
    std::vector<Asked> m_retries; ///< to be tried again at m_retryNs
    std::int64_t m_retryNs = CurlDriver::kNever;
    std::vector<std::unique_ptr<Attempt>> m_attempts;
    std::vector<Attempt*> m_idle;
    std::vector<Opened> m_opened;
    CurlDriver m_driver; // the last member: closing its connections still needs the attempts
};

} // namespace lapbench
