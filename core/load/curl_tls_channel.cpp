#include "core/load/curl_tls_channel.h"

#include "core/base/clock.h"
#include "core/load/curl_failure.h"

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace lapbench {

CurlTlsChannel::CurlTlsChannel(Poller& poller, CurlSockets& sockets, std::uint32_t index, unsigned slot,
                               const CurlSetup& setup)
    : m_setup(setup), m_slot(slot), m_easy(curl_easy_init()), m_driver(poller, sockets, index)
{
    CURL* easy = m_easy.get();
    setup.apply(easy);
    curl_easy_setopt(easy, CURLOPT_URL, setup.task().endpoint.url.c_str());
    curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 1024L); // answers are read into the caller's buffer
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, openSocket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, m_message.data());
}

CurlTlsChannel::~CurlTlsChannel()
{
    close();
}

curl_socket_t CurlTlsChannel::openSocket(void* channel, curlsocktype, curl_sockaddr* address)
{
    auto& self = *static_cast<CurlTlsChannel*>(channel);
    const curl_socket_t fd = self.m_setup.openSocket(self.m_slot, *address);
    self.m_socketErrno = fd == CURL_SOCKET_BAD ? errno : 0;
    return fd;
}

int CurlTlsChannel::closeSocket(void* channel, curl_socket_t fd)
{
    static_cast<CurlTlsChannel*>(channel)->m_driver.forget(fd);
    return ::close(fd);
}

void CurlTlsChannel::begin()
{
    m_askedNs = steadyNs();
    m_socketErrno = 0;
    m_message[0] = '\0';
    m_added = curl_multi_add_handle(m_driver.multi(), m_easy.get()) == CURLM_OK;
}

std::optional<Opened> CurlTlsChannel::ended()
{
    const auto [easy, code] = m_driver.nextDone();
    if (easy == nullptr)
        return std::nullopt;
    Opened opened;
    opened.slot = m_slot;
    opened.connectNs = steadyNs() - m_askedNs;
    curl_socket_t fd = CURL_SOCKET_BAD;
    curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &fd);
    if (code == CURLE_OK && fd != CURL_SOCKET_BAD) {
        m_driver.forget(fd);
        opened.fd = fd;
        opened.tls = this;
        return opened;
    }
    opened.failure = openFailure(easy, code, m_socketErrno, m_message.data());
    close();
    return opened;
}

ssize_t CurlTlsChannel::send(const char* bytes, std::size_t size)
{
    std::size_t sent = 0;
    const CURLcode code = curl_easy_send(m_easy.get(), bytes, size, &sent);
    return code == CURLE_OK ? static_cast<ssize_t>(sent) : failed(code);
}

ssize_t CurlTlsChannel::recv(char* bytes, std::size_t size)
{
    std::size_t got = 0;
    const CURLcode code = curl_easy_recv(m_easy.get(), bytes, size, &got);
    return code == CURLE_OK ? static_cast<ssize_t>(got) : failed(code);
}

ssize_t CurlTlsChannel::failed(CURLcode code)
{
    errno = EAGAIN;
    if (code == CURLE_AGAIN)
        return -1;
    long error = 0;
    curl_easy_getinfo(m_easy.get(), CURLINFO_OS_ERRNO, &error);
    const std::string_view message = m_message.data();
    const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
    if (error == ECONNRESET || says("Connection reset") || says("errno 104"))
        errno = ECONNRESET;
    else if (error == EPIPE || says("Broken pipe") || says("errno 32"))
        errno = EPIPE;
    else
        errno = says("unexpected eof") || says("SYSCALL, errno 0") ? ENODATA : EPROTO;
    return -1;
}

void CurlTlsChannel::close()
{
    if (std::exchange(m_added, false))
        curl_multi_remove_handle(m_driver.multi(), m_easy.get());
}

} // namespace lapbench
