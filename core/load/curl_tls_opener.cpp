#include "core/load/curl_tls_opener.h"

#include "core/load/curl_opener.h"

#include <algorithm>

namespace lapbench {

CurlTlsOpener::CurlTlsOpener(Poller& poller, CurlSockets& sockets, std::uint32_t firstIndex, const CurlSetup& setup,
                             unsigned mostAtOnce)
    : m_poller(poller), m_sockets(sockets), m_firstIndex(firstIndex), m_setup(setup), m_mostAtOnce(mostAtOnce)
{}

void CurlTlsOpener::ask(unsigned slot)
{
    m_waiting.push_back(slot);
    begin();
}

void CurlTlsOpener::begin()
{
    while (!m_waiting.empty() && m_connecting.size() < m_mostAtOnce) {
        const unsigned slot = m_waiting.front();
        m_waiting.pop_front();
        if (slot >= m_channels.size())
            m_channels.resize(slot + 1);
        if (!m_channels[slot])
            m_channels[slot] =
                std::make_unique<CurlTlsChannel>(m_poller, m_sockets, m_firstIndex + slot, slot, m_setup);
        m_channels[slot]->begin();
        m_connecting.push_back(m_channels[slot].get());
    }
}

std::int64_t CurlTlsOpener::dueNs() const
{
    std::int64_t due = CurlDriver::kNever;
    for (const CurlTlsChannel* channel : m_connecting)
        due = std::min(due, channel->dueNs());
    return due;
}

void CurlTlsOpener::onTime(std::int64_t nowNs)
{
    for (CurlTlsChannel* channel : m_connecting)
        if (channel->dueNs() <= nowNs)
            channel->onTime();
}

void CurlTlsOpener::onSocket(const epoll_event& event)
{
    const std::uint32_t slot = CurlDriver::indexOf(event.data.u64) - m_firstIndex;
    if (slot < m_channels.size() && m_channels[slot])
        m_channels[slot]->onSocket(event);
}

const std::vector<Opened>& CurlTlsOpener::collect()
{
    m_opened.clear();
    std::erase_if(m_connecting, [this](CurlTlsChannel* channel) {
        auto opened = channel->ended();
        if (opened)
            m_opened.push_back(*std::move(opened));
        return opened.has_value();
    });
    begin();
    return m_opened;
}

std::unique_ptr<Opener> makeOpener(Poller& poller, CurlSockets& sockets, std::uint32_t firstIndex,
                                   const CurlSetup& setup, unsigned mostAtOnce)
{
    if (setup.task().endpoint.secure)
        return std::make_unique<CurlTlsOpener>(poller, sockets, firstIndex, setup, mostAtOnce);
    return std::make_unique<CurlOpener>(poller, sockets, firstIndex, setup);
}

} // namespace lapbench
