#include "core/load/curl_opener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lapbench {

Failure connectFailure(int error, const std::string& otherwise)
{
    const std::string message = error != 0 ? std::strerror(error) : otherwise;
    switch (error) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL:
        return {ErrorKind::clientLimit, Phase::connect, message};
    case ETIMEDOUT:
        return {ErrorKind::connectTimeout, Phase::connect, message};
    case ECONNRESET:
        return {ErrorKind::reset, Phase::connect, message};
    default:
        return {ErrorKind::connectRefused, Phase::connect, message};
    }
}

CurlOpener::CurlOpener(Poller& poller, std::uint32_t index, const Endpoint& endpoint, Nanoseconds connectTimeout)
    : m_endpoint(endpoint),
      m_timeoutMs(static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(connectTimeout).count())),
      m_driver(poller, index)
{
    if (const std::string pin = endpoint.pin(); !pin.empty())
        m_pin.reset(curl_slist_append(nullptr, pin.c_str()));
}

CurlOpener::~CurlOpener()
{
    for (const auto& attempt : m_attempts)
        curl_multi_remove_handle(m_driver.multi(), attempt->easy.get());
}

curl_socket_t CurlOpener::openSocket(void* data, curlsocktype, curl_sockaddr* address)
{
    auto& attempt = *static_cast<Attempt*>(data);
    const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    attempt.socketErrno = fd < 0 ? errno : 0;
    return fd < 0 ? CURL_SOCKET_BAD : fd;
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
    curl_easy_setopt(easy, CURLOPT_URL, m_endpoint.url.c_str());
    curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, m_timeoutMs);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, openSocket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, attempt.get());
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, attempt.get());
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, attempt->message);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, attempt.get());
    if (m_pin)
        curl_easy_setopt(easy, CURLOPT_RESOLVE, m_pin.get());
    m_attempts.push_back(std::move(attempt));
    return m_attempts.back().get();
}

void CurlOpener::ask(unsigned slot)
{
    m_waiting.push_back(slot);
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
        attempt->slot = m_waiting.front();
        m_waiting.pop_front();
        attempt->askedNs = steadyNs();
        attempt->handedOut = -1;
        attempt->socketErrno = 0;
        attempt->message[0] = '\0';
        curl_multi_add_handle(m_driver.multi(), attempt->easy.get());
    }
}

const std::vector<CurlOpener::Outcome>& CurlOpener::collect()
{
    m_outcomes.clear();
    for (;;) {
        const auto [easy, code] = m_driver.nextDone();
        if (easy == nullptr)
            break;
        char* data = nullptr;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &data);
        auto& attempt = *reinterpret_cast<Attempt*>(data);
        m_outcomes.push_back(conclude(attempt, code));
        m_idle.push_back(&attempt);
    }
    begin();
    return m_outcomes;
}

CurlOpener::Outcome CurlOpener::conclude(Attempt& attempt, CURLcode code)
{
    CURL* easy = attempt.easy.get();
    Outcome outcome;
    outcome.slot = attempt.slot;
    outcome.connectNs = steadyNs() - attempt.askedNs;
    if (code == CURLE_OK) {
        curl_socket_t fd = CURL_SOCKET_BAD;
        curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &fd);
        attempt.handedOut = fd;
        attempt.released = false;
        m_driver.forget(fd);
        curl_multi_remove_handle(m_driver.multi(), easy);
        // A libcurl that keeps the connection would close the descriptor later: then it keeps its own.
        outcome.fd = attempt.released || fd == CURL_SOCKET_BAD ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 0);
        attempt.handedOut = -1;
        if (outcome.fd < 0)
            outcome.failure = connectFailure(errno, "the connection was lost");
        return outcome;
    }
    long error = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
    const std::string message = attempt.message[0] != '\0' ? attempt.message : curl_easy_strerror(code);
    if (code == CURLE_OPERATION_TIMEDOUT)
        outcome.failure = Failure{ErrorKind::connectTimeout, Phase::connect, message};
    else if (code == CURLE_COULDNT_RESOLVE_HOST)
        outcome.failure = Failure{ErrorKind::resolve, Phase::connect, message};
    else
        outcome.failure =
            connectFailure(attempt.socketErrno != 0 ? attempt.socketErrno : static_cast<int>(error), message);
    curl_multi_remove_handle(m_driver.multi(), easy);
    return outcome;
}

} // namespace lapbench
