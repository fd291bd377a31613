#include "core/load/curl_opener.h"

#include "core/base/clock.h"
#include "core/load/curl_failure.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lapbench {

CurlOpener::CurlOpener(Poller& poller, CurlSockets& sockets, std::uint32_t index, const CurlSetup& setup)
    : m_setup(setup), m_driver(poller, sockets, index)
{}

CurlOpener::~CurlOpener()
{
    for (const auto& attempt : m_attempts)
        curl_multi_remove_handle(m_driver.multi(), attempt->easy.get());
}

curl_socket_t CurlOpener::openSocket(void* data, curlsocktype, curl_sockaddr* address)
{
    auto& attempt = *static_cast<Attempt*>(data);
    const curl_socket_t fd = attempt.owner->m_setup.openSocket(attempt.slot, *address);
    attempt.socketErrno = fd == CURL_SOCKET_BAD ? errno : 0;
    return fd;
}

int CurlOpener::closeSocket(void* data, curl_socket_t fd)
{
    auto& attempt = *static_cast<Attempt*>(data);
    attempt.owner->m_driver.forget(fd);
    if (fd != attempt.handedOut)
        return ::close(fd);
    attempt.released = true;
    return 0;
}

CurlOpener::Attempt* CurlOpener::makeAttempt()
{
    auto attempt = std::make_unique<Attempt>();
    attempt->owner = this;
    attempt->easy.reset(curl_easy_init());
    CURL* easy = attempt->easy.get();
    m_setup.apply(easy);
    curl_easy_setopt(easy, CURLOPT_URL, m_setup.task().endpoint.url.c_str());
    curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, openSocket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, attempt.get());
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, attempt.get());
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, attempt->message);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, attempt.get());
    m_attempts.push_back(std::move(attempt));
    return m_attempts.back().get();
}

void CurlOpener::onTime(std::int64_t nowNs)
{
    if (nowNs >= m_retryNs) {
        m_waiting.insert(m_waiting.begin(), m_retries.begin(), m_retries.end());
        m_retries.clear();
        m_retryNs = CurlDriver::kNever;
        begin();
    }
    if (nowNs >= m_driver.dueNs())
        m_driver.onTime();
}

void CurlOpener::ask(unsigned slot)
{
    m_waiting.push_back({slot, 0});
    begin();
}

void CurlOpener::begin()
{
    while (!m_waiting.empty()) {
        if (m_idle.empty() && m_attempts.size() == CurlDriver::kMostTransfers)
            return;
        Attempt* attempt = nullptr;
        if (m_idle.empty()) {
            attempt = makeAttempt();
        } else {
            attempt = m_idle.back();
            m_idle.pop_back();
        }
        attempt->slot = m_waiting.front().slot;
        attempt->askedNs = m_waiting.front().sinceNs != 0 ? m_waiting.front().sinceNs : steadyNs();
        m_waiting.pop_front();
        attempt->handedOut = -1;
        attempt->socketErrno = 0;
        attempt->message[0] = '\0';
        curl_multi_add_handle(m_driver.multi(), attempt->easy.get());
    }
}

const std::vector<Opened>& CurlOpener::collect()
{
    m_opened.clear();
    for (;;) {
        const auto [easy, code] = m_driver.nextDone();
        if (easy == nullptr)
            break;
        char* data = nullptr;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &data);
        auto& attempt = *reinterpret_cast<Attempt*>(data);
        Opened opened = conclude(attempt, code);
        if (opened.failure && m_setup.mayTryAgain(easy, code, attempt.askedNs)) {
            m_retries.push_back({attempt.slot, attempt.askedNs});
            m_retryNs = steadyNs() + CurlSetup::kMomentNs;
        } else {
            m_opened.push_back(std::move(opened));
        }
        m_idle.push_back(&attempt);
    }
    begin();
    return m_opened;
}

Opened CurlOpener::conclude(Attempt& attempt, CURLcode code)
{
    CURL* easy = attempt.easy.get();
    Opened opened;
    opened.slot = attempt.slot;
    opened.connectNs = steadyNs() - attempt.askedNs;
    if (code == CURLE_OK) {
        curl_socket_t fd = CURL_SOCKET_BAD;
        curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &fd);
        attempt.handedOut = fd;
        attempt.released = false;
        m_driver.forget(fd);
        curl_multi_remove_handle(m_driver.multi(), easy);
        // A libcurl that keeps the connection would close the descriptor later: then it keeps its own.
        opened.fd = attempt.released || fd == CURL_SOCKET_BAD ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 0);
        attempt.handedOut = -1;
        if (opened.fd < 0)
            opened.failure = connectFailure(errno, "the connection was lost");
        return opened;
    }
    opened.failure = openFailure(easy, code, attempt.socketErrno, attempt.message);
    curl_multi_remove_handle(m_driver.multi(), easy);
    return opened;
}

} // namespace lapbench
