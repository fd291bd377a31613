#include "core/load/curl_multi_transport.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

// How transfers come by connections, and with HTTP/2 and 3 share one.

namespace lapbench {

/// At once where a connection is there, not when its answer is: a server that never answers was connected to all the
/// same.
int CurlMultiTransport::beforeSending(void* data, char*, char*, int, int)
{
    auto& transfer = *static_cast<Transfer*>(data);
    // A request that the server refused is sent again by libcurl, maybe where HTTP/2 must not begin anew.
    const bool joins = !transfer.fresh || transfer.told;
    transfer.stray = joins && transfer.begins && transfer.owner->m_task.options.http == HttpVersion::http2Knowledge;
    if (transfer.stray) {
        transfer.owner->shardOf(transfer.slot).ready = true;
        return CURL_PREREQFUNC_ABORT;
    }
    if (transfer.fresh)
        transfer.owner->tellConnection(transfer, figuresOf(transfer.easy.get()));
    return CURL_PREREQFUNC_OK;
}

curl_socket_t CurlMultiTransport::openSocket(void* data, curlsocktype, curl_sockaddr* address)
{
    auto& transfer = *static_cast<Transfer*>(data);
    CurlMultiTransport& self = *transfer.owner;
    // It was to go onto a connection that was closed meanwhile. The next one has to begin with HTTP/2.
    transfer.stray = !transfer.begins;
    if (transfer.stray)
        return CURL_SOCKET_BAD;
    const curl_socket_t fd = self.m_setup.openSocket(transfer.slot / self.m_task.options.streams, *address);
    transfer.socketErrno = fd == CURL_SOCKET_BAD ? errno : 0;
    if (fd == CURL_SOCKET_BAD)
        return fd;
    if (!transfer.fresh || transfer.told) {
        transfer.socketNs = steadyNs();
        self.m_expireNs = std::min(self.m_expireNs, transfer.socketNs + self.m_task.options.connectTimeout.count());
    }
    transfer.fresh = true;
    transfer.told = false;
    Shard& shard = self.shardOf(transfer.slot);
    ++shard.sockets;
    shard.untold.emplace_back(fd, transfer.slot);
    return fd;
}

int CurlMultiTransport::closeSocket(void* data, curl_socket_t fd)
{
    auto& shard = *static_cast<Shard*>(data);
    shard.driver->forget(fd);
    shard.connected = shard.ready = false;
    shard.lost = shard.owner->m_anyLost = true;
    --shard.sockets;
    if (std::erase_if(shard.untold, [fd](const auto& untold) { return untold.first == fd; }) == 0) {
        ++shard.toReplace;
        --shard.owner->m_open;
    }
    return ::close(fd);
}

void CurlMultiTransport::join(Transfer& transfer)
{
    if (multiplexes()) {
        Shard& shard = shardOf(transfer.slot);
        if (shard.opener == transfer.slot)
            shard.opening = false; // it is here again, without a connection
        // One of them opens the connection: several at once would each open one.
        if (!shard.ready && std::exchange(shard.opening, true)) {
            shard.waiting.push_back(transfer.slot);
            return;
        }
        if (!shard.ready)
            shard.opener = transfer.slot;
        const bool anew = m_task.options.newConnections || (transfer.again != 0 && !shard.ready);
        curl_easy_setopt(transfer.easy.get(), CURLOPT_FRESH_CONNECT, anew ? 1L : 0L);
        // libcurl before 8.0 would begin HTTP/2 anew on a connection that speaks it (curl/curl issue 10634).
        if (m_task.options.http == HttpVersion::http2Knowledge) {
            transfer.begins = !shard.ready || m_task.options.newConnections;
            curl_easy_setopt(
                transfer.easy.get(), CURLOPT_HTTP_VERSION,
                static_cast<long>(transfer.begins ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2_0));
        }
    }
    add(transfer);
}

/// Requests wait for the one that opens the connection; where it is there, or nobody opens it any more, they go on.
void CurlMultiTransport::joinWaiting()
{
    const bool anyLost = std::exchange(m_anyLost, false);
    for (const auto& shard : m_shards) {
        if (anyLost)
            joinAnew(*shard);
        const bool nobodyOpens = !shard->opening || (m_retries.empty() && !m_transfers[shard->opener]->pending);
        if (shard->waiting.empty() || !(shard->ready || nobodyOpens))
            continue;
        shard->opening = false;
        const std::vector<unsigned> waiting = std::exchange(shard->waiting, {});
        for (const unsigned slot : waiting) {
            m_transfers[slot]->startNs = steadyNs();
            join(*m_transfers[slot]);
        }
    }
}

/// libcurl wakes a transfer that waits for a stream when another has ended, and not when the connection is closed after
/// the last one: those that still wait then would wait for ever.
void CurlMultiTransport::joinAnew(Shard& shard)
{
    if (!std::exchange(shard.lost, false) || shard.sockets != 0)
        return;
    const unsigned end = std::min<unsigned>(shard.first + m_perShard, static_cast<unsigned>(m_transfers.size()));
    for (unsigned slot = shard.first; slot < end; ++slot) {
        Transfer& transfer = *m_transfers[slot];
        if (!transfer.pending || transfer.fresh)
            continue;
        curl_multi_remove_handle(shard.driver->multi(), transfer.easy.get());
        transfer.pending = false;
        join(transfer);
    }
}

/// Where no connection came, those that wait for it have none either; where one came and went, they need another.
void CurlMultiTransport::settleOpening(Shard& shard, const Sample& sample, bool connected)
{
    shard.opening = false;
    const bool anew = sample.failure == nullptr || (connected && sample.failure->kind != ErrorKind::timeout);
    shard.ready = anew && shard.connected; // an answer comes after the greeting
    const std::vector<unsigned> waiting = std::exchange(shard.waiting, {});
    for (const unsigned slot : waiting) {
        if (anew) {
            join(*m_transfers[slot]);
            continue;
        }
        Sample same;
        same.startNs = m_transfers[slot]->startNs;
        same.endNs = sample.endNs;
        same.failure = sample.failure;
        same.kind = m_transfers[slot]->kind;
        if (const auto next = m_sink.finished(slot, same))
            start(slot, *next, same.endNs);
    }
}

void CurlMultiTransport::tellConnection(Transfer& transfer, const Figures& figures)
{
    if (figures.connectNs <= 0)
        return;
    if (std::exchange(transfer.told, true))
        return;
    Shard& shard = shardOf(transfer.slot);
    // Connections are the shard's and not the slot's: a kept one may serve any of them.
    const bool again = shard.toReplace != 0;
    if (again)
        --shard.toReplace;
    if (std::erase_if(shard.untold, [&](const auto& untold) { return untold.second == transfer.slot; }) != 0)
        m_peakOpen = std::max(m_peakOpen, ++m_open);
    else
        ++shard.toReplace; // it was closed before its transfer ended
    m_sink.opened(multiplexes() ? shard.first : transfer.slot, figures.connectNs, again);
    shard.connected = true;
}

} // namespace lapbench
