#pragma once

#include "core/load/curl_tls_channel.h"
#include "core/load/opener.h"

#include <deque>
#include <memory>
#include <vector>

namespace lapbench {

/// Opens connections over TLS, a channel for each slot; so many shake hands at a time, the others wait in line. Stays
/// where it is made; one thread.
class CurlTlsOpener final : public Opener {
public:
    /// Its drivers have the indices from `firstIndex`, one for each slot. Keeps references to what it is given.
    CurlTlsOpener(Poller& poller, CurlSockets& sockets, std::uint32_t firstIndex, const CurlSetup& setup,
                  unsigned mostAtOnce);

    void ask(unsigned slot) override;
    std::int64_t dueNs() const override;
    void onTime(std::int64_t nowNs) override;
    void onSocket(const epoll_event& event) override;
    const std::vector<Opened>& collect() override;

private:
    void begin();

    Poller& m_poller;
    CurlSockets& m_sockets;
    const std::uint32_t m_firstIndex;
    const CurlSetup& m_setup;
    const unsigned m_mostAtOnce;
    std::vector<std::unique_ptr<CurlTlsChannel>> m_channels; ///< by slot; null until it is first asked for
    std::deque<unsigned> m_waiting;
    std::vector<CurlTlsChannel*> m_connecting;
    std::vector<Opened> m_opened;
};

/// The opener for a task's connections, over TLS or plain; its drivers have the indices from `firstIndex`.
std::unique_ptr<Opener> makeOpener(Poller& poller, CurlSockets& sockets, std::uint32_t firstIndex,
                                   const CurlSetup& setup, unsigned mostAtOnce);

} // namespace lapbench
