#include "core/load/curl_multi_transport.h"

#include "core/load/curl_failure.h"
#include "core/load/curl_tls_opener.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace lapbench {

namespace {

constexpr std::int64_t kExpireStepNs = 1'000'000;

/// How often a request may meet a shared connection that the server is about to end.
constexpr unsigned kMostRounds = 5;

/// libcurl gives a request up after five kept connections in a row that the server had closed meanwhile.
/// Its code then is that of the last one's failure.
bool metOnlyClosedConnections(CURLcode code, std::string_view message)
{
    return code != CURLE_OK && message.starts_with("Connection died");
}

std::string nameOf(long version)
{
    switch (version) {
    case CURL_HTTP_VERSION_1_0:
        return "1.0";
    case CURL_HTTP_VERSION_1_1:
        return "1.1";
    case CURL_HTTP_VERSION_2_0:
        return "2";
    case CURL_HTTP_VERSION_3:
        return "3";
    default:
        return {};
    }
}

} // namespace

CurlMultiTransport::CurlMultiTransport(const WireTask& task, Poller& poller, TransportSink& sink)
    : m_task(task), m_poller(poller), m_sink(sink), m_setup(task),
      m_perShard(task.options.http == HttpVersion::http1 ? kMostOfMulti : task.options.streams), m_cursor(task.script)
{
    for (const RequestKind& kind : task.script.kinds())
        m_kinds.push_back(kind.constant ? Kind{urlOf(kind.prepared), headersOf(kind.prepared)} : Kind{});
    for (unsigned first = 0; first < task.slots(); first += m_perShard) {
        const auto index = static_cast<std::uint32_t>(m_shards.size());
        auto driver = std::make_unique<CurlDriver>(poller, m_sockets, index);
        if (multiplexes()) {
            curl_multi_setopt(driver->multi(), CURLMOPT_MAX_CONCURRENT_STREAMS, static_cast<long>(m_perShard));
            // Where the server takes fewer streams, or no more on this connection, the others wait for their turn.
            curl_multi_setopt(driver->multi(), CURLMOPT_MAX_HOST_CONNECTIONS, 1L);
        }
        m_shards.push_back(std::make_unique<Shard>());
        m_shards.back()->owner = this;
        m_shards.back()->first = first;
        m_shards.back()->driver = std::move(driver);
    }
    for (unsigned slot = 0; slot < task.slots(); ++slot) {
        m_transfers.push_back(std::make_unique<Transfer>());
        m_transfers.back()->owner = this;
        m_transfers.back()->slot = slot;
        prepare(*m_transfers.back(), shardOf(slot));
    }
}

CurlMultiTransport::~CurlMultiTransport()
{
    for (const auto& transfer : m_transfers)
        if (transfer->pending)
            curl_multi_remove_handle(shardOf(transfer->slot).driver->multi(), transfer->easy.get());
}

std::size_t CurlMultiTransport::takeBody(char* bytes, std::size_t size, std::size_t count, void* data)
{
    auto& transfer = *static_cast<Transfer*>(data);
    transfer.body += size * count;
    if (transfer.wantsText && transfer.text.size() < kMostCheckedBytes)
        transfer.text.append(bytes, std::min(size * count, kMostCheckedBytes - transfer.text.size()));
    return size * count;
}

std::size_t CurlMultiTransport::takeHead(char* bytes, std::size_t size, std::size_t count, void* data)
{
    auto& transfer = *static_cast<Transfer*>(data);
    size *= count;
    transfer.headBytes += size;
    if (transfer.head.size() < kHeadSampleBytes)
        transfer.head.append(bytes, std::min(size, kHeadSampleBytes - transfer.head.size()));
    if (transfer.owner->m_task.options.followRedirects) {
        long status = 0;
        curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
        if (status / 100 == 3)
            transfer.refused = foreignHost(transfer.easy.get(), {bytes, size});
        if (!transfer.refused.empty())
            return 0;
    }
    return size;
}

unsigned CurlMultiTransport::openAhead()
{
    m_probe = makeOpener(m_poller, m_sockets, static_cast<std::uint32_t>(m_shards.size()), m_setup, 1);
    m_probe->ask(0);
    return 1;
}

void CurlMultiTransport::probed()
{
    const std::vector<Opened>& all = m_probe->collect();
    if (all.empty())
        return;
    Opened opened = all.front();
    if (opened.fd >= 0 && opened.tls == nullptr)
        ::close(opened.fd);
    m_probe.reset();
    const auto tls = m_task.negotiated.tls();
    if (!opened.failure && m_task.options.http == HttpVersion::http2 && tls && tls->protocol != "h2")
        opened.failure =
            Failure{ErrorKind::tls, Phase::connect,
                    "the server does not speak HTTP/2: it chose " +
                        (tls->protocol.empty() ? std::string("no protocol") : tls->protocol) + " in the handshake"};
    if (opened.failure)
        m_sink.openFailed(opened.slot, *opened.failure);
    else
        m_sink.reachable();
}

void CurlMultiTransport::start(unsigned slot, std::uint64_t number, std::int64_t nowNs)
{
    Transfer& transfer = *m_transfers[slot];
    if (m_kinds.size() != 1 || !m_kinds.front().url)
        setRequest(transfer, number);
    transfer.startNs = nowNs;
    join(transfer);
}

void CurlMultiTransport::add(Transfer& transfer)
{
    transfer.pending = true;
    m_expireNs = std::min(m_expireNs, transfer.startNs + m_task.options.timeout.count());
    transfer.fresh = transfer.told = false;
    transfer.body = transfer.headBytes = 0;
    transfer.socketErrno = 0;
    transfer.head.clear();
    transfer.text.clear();
    transfer.refused.clear();
    transfer.message[0] = '\0';
    curl_multi_add_handle(shardOf(transfer.slot).driver->multi(), transfer.easy.get());
}

/// When a request that is under way times out.
std::int64_t CurlMultiTransport::expiryOf(const Transfer& transfer) const
{
    const std::int64_t expiryNs = transfer.startNs + m_task.options.timeout.count();
    const bool connecting = transfer.fresh && !transfer.told;
    return connecting ? std::min(expiryNs, transfer.socketNs + m_task.options.connectTimeout.count()) : expiryNs;
}

void CurlMultiTransport::expire(std::int64_t nowNs)
{
    m_expireNs = CurlDriver::kNever;
    for (const auto& transfer : m_transfers) {
        if (!transfer->pending)
            continue;
        if (const std::int64_t dueNs = expiryOf(*transfer); nowNs < dueNs)
            m_expireNs = std::min(m_expireNs, dueNs);
        else
            conclude(*transfer, CURLE_OPERATION_TIMEDOUT);
    }
    m_expireNs = std::max(m_expireNs, nowNs + kExpireStepNs);
}

void CurlMultiTransport::poll(std::int64_t untilNs)
{
    const std::int64_t nowNs = steadyNs();
    std::int64_t until = std::min(untilNs, m_expireNs);
    for (const std::int64_t due : m_sockets.due())
        until = std::min(until, due);
    const std::vector<unsigned> retries = std::exchange(m_retries, {});
    if (m_probe)
        until = std::min(until, m_probe->dueNs());
    if (!retries.empty())
        until = std::min(until, nowNs + CurlSetup::kMomentNs);

    for (const epoll_event& event : m_poller.wait(nowNs, until)) {
        const std::uint32_t index = CurlDriver::indexOf(event.data.u64);
        if (index < m_shards.size()) {
            Shard& shard = *m_shards[index];
            // HTTP/2 greets with how many streams may be open, which libcurl must have read before it opens more.
            const bool greeted = shard.connected && !shard.ready && (event.events & EPOLLIN) != 0;
            shard.driver->onSocket(event);
            if (greeted && shard.connected) {
                shard.ready = true;
                shard.opening = false;
            }
            if (m_touched.empty() || m_touched.back() != index)
                m_touched.push_back(index);
        } else if (m_probe) {
            m_probe->onSocket(event);
        }
    }
    for (const unsigned slot : retries)
        add(*m_transfers[slot]);
    const std::int64_t thenNs = steadyNs();
    for (std::uint32_t index = 0; index < m_shards.size(); ++index) {
        if (thenNs >= m_sockets.due()[index]) {
            m_shards[index]->driver->onTime();
            m_touched.push_back(index);
        }
    }
    if (thenNs >= m_expireNs) [[unlikely]]
        expire(thenNs);
    for (const std::uint32_t index : m_touched)
        collect(*m_shards[index]);
    m_touched.clear();
    if (multiplexes())
        joinWaiting();
    if (m_probe) {
        if (thenNs >= m_probe->dueNs())
            m_probe->onTime(thenNs);
        probed();
    }
}

void CurlMultiTransport::collect(Shard& shard)
{
    for (auto done = shard.driver->nextDone(); done.first != nullptr; done = shard.driver->nextDone()) {
        char* data = nullptr;
        curl_easy_getinfo(done.first, CURLINFO_PRIVATE, &data);
        conclude(*reinterpret_cast<Transfer*>(data), done.second);
    }
}

CurlMultiTransport::Figures CurlMultiTransport::figuresOf(CURL* easy)
{
    long requestBytes = 0;
    curl_off_t connectUs = 0, handshakeUs = 0, sendUs = 0;
    curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &requestBytes);
    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connectUs);
    curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &handshakeUs);
    curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &sendUs);
    return {std::max(connectUs, handshakeUs) * 1000, sendUs * 1000, requestBytes};
}

void CurlMultiTransport::tellVersion(const Transfer& transfer) const
{
    long version = 0;
    curl_easy_getinfo(transfer.easy.get(), CURLINFO_HTTP_VERSION, &version);
    if (std::string name = nameOf(version); !name.empty())
        m_task.negotiated.tellHttp(std::move(name));
}

void CurlMultiTransport::conclude(Transfer& transfer, CURLcode code)
{
    const WireOptions& options = m_task.options;
    Figures figures;
    if (transfer.fresh || code != CURLE_OK) [[unlikely]]
        figures = figuresOf(transfer.easy.get());
    long status = 0;
    curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
    if (!m_task.negotiated.httpKnown()) [[unlikely]]
        tellVersion(transfer);
    curl_multi_remove_handle(shardOf(transfer.slot).driver->multi(), transfer.easy.get());
    transfer.pending = false;
    if (std::exchange(transfer.stray, false)) [[unlikely]]
        return join(transfer);
    if (transfer.fresh) [[unlikely]]
        tellConnection(transfer, figures);
    if (code != CURLE_OK && m_setup.mayTryAgain(transfer.easy.get(), code, transfer.startNs)) [[unlikely]] {
        m_retries.push_back(transfer.slot);
        return;
    }
    if (!options.newConnections && (transfer.again != 0 || code != CURLE_OK)) [[unlikely]] {
        const bool closed = metOnlyClosedConnections(code, transfer.message.data()) ||
                            (code == CURLE_HTTP2 && !transfer.fresh && transfer.headBytes == 0);
        transfer.again = closed && transfer.again < (multiplexes() ? kMostRounds : 1) ? transfer.again + 1 : 0;
        if (!multiplexes())
            curl_easy_setopt(transfer.easy.get(), CURLOPT_FRESH_CONNECT, transfer.again != 0 ? 1L : 0L);
        if (transfer.again != 0) {
            // libcurl keeps an HTTP/2 connection on which the server takes no more requests.
            shardOf(transfer.slot).ready = false;
            return join(transfer);
        }
    }

    Sample sample;
    sample.startNs = transfer.startNs + (transfer.fresh && !options.newConnections ? figures.sendNs : 0);
    sample.endNs = std::max(sample.startNs, steadyNs());
    sample.received = transfer.headBytes + transfer.body;
    // Whether the body is among REQUEST_SIZE depends on its length.
    sample.sent = code == CURLE_OK || figures.requestBytes > 0 ? transfer.sent : 0;
    sample.body = transfer.body;
    sample.status = static_cast<int>(std::clamp(status, 0L, 999L));
    sample.head = transfer.head;
    const Failure failure = code == CURLE_OK ? Failure{} : failureOf(transfer, code, figures);
    if (code != CURLE_OK)
        sample.failure = &failure;
    sample.kind = transfer.kind;
    sample.text = transfer.text;
    if (Shard& shard = shardOf(transfer.slot); shard.opening && !shard.ready && shard.opener == transfer.slot)
        [[unlikely]]
        settleOpening(shard, sample, transfer.told);
    if (const auto next = m_sink.finished(transfer.slot, sample))
        start(transfer.slot, *next, sample.endNs);
}

Failure CurlMultiTransport::failureOf(const Transfer& transfer, CURLcode code, const Figures& figures)
{
    if (!transfer.refused.empty())
        return {ErrorKind::unexpectedStatus, Phase::check, "a redirect to another host, " + transfer.refused};
    TransferState state;
    state.connected = !transfer.fresh || figures.connectNs > 0;
    state.sent = figures.requestBytes > 0;
    state.headDone = transfer.body != 0 || transfer.head.ends_with("\r\n\r\n") ||
                     (transfer.head.size() >= kHeadSampleBytes && code == CURLE_PARTIAL_FILE);
    state.socketErrno = transfer.socketErrno;
    return transferFailure(transfer.easy.get(), code, state, transfer.message.data());
}

std::vector<OpenRequest> CurlMultiTransport::openRequests() const
{
    std::vector<OpenRequest> open;
    for (const auto& transfer : m_transfers) {
        if (!transfer->pending)
            continue;
        const Figures figures = transfer->fresh ? figuresOf(transfer->easy.get()) : Figures{};
        const bool sent = !transfer->fresh || figures.requestBytes > 0;
        if (sent || m_task.options.newConnections)
            open.push_back({transfer->slot, transfer->startNs + (m_task.options.newConnections ? 0 : figures.sendNs)});
    }
    return open;
}

} // namespace lapbench
