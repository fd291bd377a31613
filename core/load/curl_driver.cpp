#include "core/load/curl_driver.h"

#include "core/base/clock.h"

namespace lapbench {

namespace {

std::uint32_t epollEvents(int what)
{
    return ((what & CURL_POLL_IN) != 0 ? std::uint32_t{EPOLLIN} : 0U) |
           ((what & CURL_POLL_OUT) != 0 ? std::uint32_t{EPOLLOUT} : 0U);
}

} // namespace

CurlDriver::CurlDriver(Poller& poller, CurlSockets& sockets, std::uint32_t index)
    : m_poller(poller), m_sockets(sockets), m_index(index), m_tag(kTagBit | (std::uint64_t{index} << 32)),
      m_multi(curl_multi_init())
{
    curl_multi_setopt(multi(), CURLMOPT_SOCKETFUNCTION, socketCallback);
    curl_multi_setopt(multi(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi(), CURLMOPT_TIMERFUNCTION, timerCallback);
    curl_multi_setopt(multi(), CURLMOPT_TIMERDATA, this);
    // The default follows the number of transfers and would drop warm connections whenever that dips.
    curl_multi_setopt(multi(), CURLMOPT_MAXCONNECTS, static_cast<long>(2 * kMostTransfers));
}

int CurlDriver::socketCallback(CURL*, curl_socket_t fd, int what, void* self, void*)
{
    static_cast<CurlDriver*>(self)->wanted(fd, what);
    return 0;
}

int CurlDriver::timerCallback(CURLM*, long timeoutMs, void* self)
{
    auto& driver = *static_cast<CurlDriver*>(self);
    driver.m_sockets.due(driver.m_index) = timeoutMs < 0 ? kNever : steadyNs() + std::int64_t{timeoutMs} * 1'000'000;
    return 0;
}

void CurlDriver::wanted(int fd, int what)
{
    CurlSockets::Entry& socket = m_sockets.at(fd);
    socket.driver = m_index;
    // Between two requests libcurl wants nothing of a kept connection; leaving it registered saves two calls.
    if (what == CURL_POLL_REMOVE) {
        socket.wanted = 0;
        return;
    }
    socket.wanted = static_cast<std::uint8_t>(what);
    if (socket.registered == socket.wanted)
        return;
    const std::uint64_t tag = m_tag | static_cast<std::uint32_t>(fd);
    if (socket.registered == 0 || !m_poller.change(fd, epollEvents(what), tag))
        m_poller.add(fd, epollEvents(what), tag);
    socket.registered = socket.wanted;
}

void CurlDriver::forget(int fd)
{
    CurlSockets::Entry& socket = m_sockets.at(fd);
    if (socket.registered != 0)
        m_poller.remove(fd);
    socket = {};
}

void CurlDriver::onTime()
{
    m_sockets.due(m_index) = kNever;
    int running = 0;
    curl_multi_socket_action(multi(), CURL_SOCKET_TIMEOUT, 0, &running);
}

void CurlDriver::onSocket(const epoll_event& event)
{
    const auto fd = static_cast<int>(event.data.u64 & 0xffffffffU);
    // Nobody wants it: the peer closed an idle connection. libcurl finds out when it next takes it.
    const CurlSockets::Entry& socket = m_sockets.at(fd);
    if (socket.driver != m_index)
        return; // closed meanwhile, and another driver's by now
    if (socket.wanted == 0) {
        forget(fd);
        return;
    }
    int what = 0;
    if ((event.events & EPOLLIN) != 0)
        what |= CURL_CSELECT_IN;
    if ((event.events & EPOLLOUT) != 0)
        what |= CURL_CSELECT_OUT;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0)
        what |= CURL_CSELECT_ERR;
    int running = 0;
    curl_multi_socket_action(multi(), fd, what, &running);
}

std::pair<CURL*, CURLcode> CurlDriver::nextDone()
{
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi(), &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        return {message->easy_handle, message->data.result};
    }
    return {nullptr, CURLE_OK};
}

} // namespace lapbench
