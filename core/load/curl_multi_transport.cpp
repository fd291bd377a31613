#include "core/load/curl_multi_transport.h"

#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace lapbench {

namespace {

long toMs(Nanoseconds duration)
{
    return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

void append(CurlList& list, const std::string& line)
{
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer != nullptr && longer != list.get())
        list.reset(longer);
}

/// libcurl gives a request up after five kept connections in a row that the server had closed meanwhile.
bool metOnlyClosedConnections(CURLcode code, std::string_view message)
{
    return code == CURLE_SEND_ERROR && message.starts_with("Connection died");
}

} // namespace

CurlMultiTransport::CurlMultiTransport(const WireTask& task, Poller& poller, TransportSink& sink)
    : m_task(task), m_poller(poller), m_sink(sink), m_cursor(task.script)
{
    for (const RequestKind& kind : task.script.kinds())
        m_kinds.push_back(kind.constant ? Kind{urlOf(kind.prepared), headersOf(kind.prepared)} : Kind{});
    if (const std::string pin = task.endpoint.pin(); !pin.empty())
        append(m_pin, pin);

    const unsigned shards = (task.connections + CurlDriver::kMostTransfers - 1) / CurlDriver::kMostTransfers;
    for (unsigned i = 0; i < shards; ++i)
        m_shards.push_back(std::make_unique<Shard>(Shard{this, std::make_unique<CurlDriver>(poller, i)}));
    for (unsigned slot = 0; slot < task.connections; ++slot) {
        m_transfers.push_back(std::make_unique<Transfer>());
        m_transfers.back()->owner = this;
        m_transfers.back()->slot = slot;
        prepare(*m_transfers.back(), shardOf(slot));
    }
}

CurlUrl CurlMultiTransport::urlOf(const PreparedRequest& request) const
{
    CurlUrl url(curl_url());
    curl_url_set(url.get(), CURLUPART_URL, (m_task.endpoint.url + request.target).c_str(), CURLU_PATH_AS_IS);
    return url;
}

CurlList CurlMultiTransport::headersOf(const PreparedRequest& request)
{
    CurlList list;
    // What libcurl would add by itself is taken out, so that both transports send the same request.
    for (const char* name : {"Accept", "Expect", "Content-Type", "User-Agent"})
        if (std::none_of(request.headers.begin(), request.headers.end(),
                         [&](const auto& header) { return strcasecmp(header.first.c_str(), name) == 0; }))
            append(list, std::string(name) + ":");
    for (const auto& [name, value] : request.headers)
        append(list, value.empty() ? name + ";" : name + ": " + value);
    return list;
}

CurlMultiTransport::~CurlMultiTransport()
{
    for (const auto& transfer : m_transfers)
        if (transfer->pending)
            curl_multi_remove_handle(shardOf(transfer->slot).driver->multi(), transfer->easy.get());
}

void CurlMultiTransport::prepare(Transfer& transfer, Shard& shard)
{
    transfer.easy.reset(curl_easy_init());
    CURL* easy = transfer.easy.get();
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 16L * 1024);
    curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, 2147483647L); // 0 would mean: older than a second is dead
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, toMs(m_task.options.timeout));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, toMs(m_task.options.connectTimeout));
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, m_task.options.newConnections ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, m_task.options.newConnections ? 1L : 0L);
    if (m_pin)
        curl_easy_setopt(easy, CURLOPT_RESOLVE, m_pin.get());
    if (m_kinds.size() == 1 && m_kinds.front().url)
        setRequest(transfer, 0);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, takeHead);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, beforeSending);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, openSocket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, &shard);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.message.data());
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
}

void CurlMultiTransport::setRequest(Transfer& transfer, std::uint64_t number)
{
    CURL* easy = transfer.easy.get();
    transfer.kind = m_cursor.kindOf(number);
    const RequestKind& kind = m_cursor.kind(transfer.kind);
    const PreparedRequest& request = m_cursor.parts(number);
    if (!kind.constant) {
        transfer.url = urlOf(request);
        transfer.headers = headersOf(request);
        transfer.postFields = request.body;
    }
    const Kind& shared = m_kinds[transfer.kind];
    curl_easy_setopt(easy, CURLOPT_CURLU, kind.constant ? shared.url.get() : transfer.url.get());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, kind.constant ? shared.headers.get() : transfer.headers.get());
    const bool sendsLength = std::any_of(request.headers.begin(), request.headers.end(), [](const auto& header) {
        return strcasecmp(header.first.c_str(), "Content-Length") == 0;
    });
    if (!request.body.empty() || sendsLength) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, kind.constant ? request.body.c_str() : transfer.postFields.c_str());
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_NOBODY, kind.head ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    transfer.wantsText = kind.check.needsBody();
    transfer.sent = kind.constant ? request.bytes.size() : m_cursor.message(number).size();
}

std::size_t CurlMultiTransport::takeBody(char* bytes, std::size_t size, std::size_t count, void* data)
{
    auto& transfer = *static_cast<Transfer*>(data);
    transfer.body += size * count;
    if (transfer.wantsText && transfer.text.size() < kMostCheckedBytes)
        transfer.text.append(bytes, std::min(size * count, kMostCheckedBytes - transfer.text.size()));
    return size * count;
}

std::size_t CurlMultiTransport::takeHead(char* bytes, std::size_t size, std::size_t count, void* transfer)
{
    std::string& head = static_cast<Transfer*>(transfer)->head;
    if (head.size() < kHeadSampleBytes)
        head.append(bytes, std::min(size * count, kHeadSampleBytes - head.size()));
    return size * count;
}

int CurlMultiTransport::beforeSending(void* data, char*, char*, int, int)
{
    auto& transfer = *static_cast<Transfer*>(data);
    transfer.owner->tellConnections(transfer, figuresOf(transfer.easy.get()));
    return CURL_PREREQFUNC_OK;
}

curl_socket_t CurlMultiTransport::openSocket(void* data, curlsocktype, curl_sockaddr* address)
{
    auto& transfer = *static_cast<Transfer*>(data);
    const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    transfer.socketErrno = fd < 0 ? errno : 0;
    if (fd < 0)
        return CURL_SOCKET_BAD;
    CurlMultiTransport& self = *transfer.owner;
    self.m_peakOpen = std::max(self.m_peakOpen, ++self.m_open);
    return fd;
}

int CurlMultiTransport::closeSocket(void* data, curl_socket_t fd)
{
    auto& shard = *static_cast<Shard*>(data);
    shard.driver->forget(fd);
    --shard.owner->m_open;
    return ::close(fd);
}

unsigned CurlMultiTransport::openAhead()
{
    m_probe = std::make_unique<CurlOpener>(m_poller, static_cast<std::uint32_t>(m_shards.size()), m_task.endpoint,
                                           m_task.options.connectTimeout);
    m_probe->ask(0);
    return 1;
}

void CurlMultiTransport::probed()
{
    const std::vector<CurlOpener::Outcome> outcomes = m_probe->collect();
    if (outcomes.empty())
        return;
    m_probe.reset();
    const CurlOpener::Outcome& outcome = outcomes.front();
    if (outcome.failure) {
        m_sink.openFailed(outcome.slot, *outcome.failure);
        return;
    }
    ::close(outcome.fd);
    m_sink.reachable();
}

void CurlMultiTransport::start(unsigned slot, std::uint64_t number, std::int64_t nowNs)
{
    Transfer& transfer = *m_transfers[slot];
    if (m_kinds.size() != 1 || !m_kinds.front().url)
        setRequest(transfer, number);
    transfer.startNs = nowNs;
    add(transfer);
}

void CurlMultiTransport::add(Transfer& transfer)
{
    transfer.pending = true;
    transfer.connectionsTold = 0;
    transfer.body = 0;
    transfer.socketErrno = 0;
    transfer.head.clear();
    transfer.text.clear();
    transfer.message[0] = '\0';
    curl_multi_add_handle(shardOf(transfer.slot).driver->multi(), transfer.easy.get());
}

void CurlMultiTransport::poll(std::int64_t untilNs)
{
    const std::int64_t nowNs = steadyNs();
    std::int64_t until = untilNs;
    for (const auto& shard : m_shards)
        until = std::min(until, shard->driver->dueNs());
    if (m_probe)
        until = std::min(until, m_probe->dueNs());

    for (const epoll_event& event : m_poller.wait(nowNs, until)) {
        const std::uint32_t index = CurlDriver::indexOf(event.data.u64);
        if (index < m_shards.size())
            m_shards[index]->driver->onSocket(event);
        else if (m_probe)
            m_probe->onSocket(event);
    }
    const std::int64_t thenNs = steadyNs();
    for (const auto& shard : m_shards) {
        if (thenNs >= shard->driver->dueNs())
            shard->driver->onTime();
        for (auto done = shard->driver->nextDone(); done.first != nullptr; done = shard->driver->nextDone()) {
            char* data = nullptr;
            curl_easy_getinfo(done.first, CURLINFO_PRIVATE, &data);
            conclude(*reinterpret_cast<Transfer*>(data), done.second);
        }
    }
    if (m_probe) {
        if (thenNs >= m_probe->dueNs())
            m_probe->onTime();
        probed();
    }
}

CurlMultiTransport::Figures CurlMultiTransport::figuresOf(CURL* easy)
{
    long connections = 0, headBytes = 0, requestBytes = 0, status = 0;
    curl_off_t connectUs = 0, sendUs = 0;
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
    curl_easy_getinfo(easy, CURLINFO_HEADER_SIZE, &headBytes);
    curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &requestBytes);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (connections != 0) {
        curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connectUs);
        curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &sendUs);
    }
    return {connections, connectUs * 1000, sendUs * 1000, headBytes, requestBytes, static_cast<int>(status)};
}

/// At once where a connection is there, not when its answer is: a server that never answers was connected to all the
/// same.
void CurlMultiTransport::tellConnections(Transfer& transfer, const Figures& figures)
{
    if (figures.connectNs > 0)
        for (; transfer.connectionsTold < figures.newConnections; ++transfer.connectionsTold)
            m_sink.opened(transfer.slot, figures.connectNs);
}

void CurlMultiTransport::conclude(Transfer& transfer, CURLcode code)
{
    const Figures figures = figuresOf(transfer.easy.get());
    curl_multi_remove_handle(shardOf(transfer.slot).driver->multi(), transfer.easy.get());
    transfer.pending = false;
    tellConnections(transfer, figures);
    if (!m_task.options.newConnections) {
        transfer.again = !transfer.again && metOnlyClosedConnections(code, transfer.message.data());
        curl_easy_setopt(transfer.easy.get(), CURLOPT_FRESH_CONNECT, transfer.again ? 1L : 0L);
        if (transfer.again)
            return add(transfer);
    }

    Sample sample;
    sample.startNs = transfer.startNs + (m_task.options.newConnections ? 0 : figures.sendNs);
    sample.endNs = std::max(sample.startNs, steadyNs());
    sample.received = static_cast<std::uint64_t>(figures.headBytes) + transfer.body;
    // Whether the body is among REQUEST_SIZE depends on its length.
    sample.sent = figures.requestBytes > 0 ? transfer.sent : 0;
    sample.body = transfer.body;
    sample.status = std::clamp(figures.status, 0, 999);
    sample.head = transfer.head;
    const Failure failure = code == CURLE_OK ? Failure{} : failureOf(transfer, code, figures);
    if (code != CURLE_OK)
        sample.failure = &failure;
    sample.kind = transfer.kind;
    sample.text = transfer.text;
    if (const auto next = m_sink.finished(transfer.slot, sample))
        start(transfer.slot, *next, sample.endNs);
}

Failure CurlMultiTransport::failureOf(const Transfer& transfer, CURLcode code, const Figures& figures)
{
    long error = 0;
    curl_easy_getinfo(transfer.easy.get(), CURLINFO_OS_ERRNO, &error);
    const std::string message = transfer.message[0] != '\0' ? transfer.message.data() : curl_easy_strerror(code);
    const bool headDone = transfer.body != 0 || transfer.head.ends_with("\r\n\r\n") ||
                          (transfer.head.size() >= kHeadSampleBytes && code == CURLE_PARTIAL_FILE);
    const bool connected = figures.newConnections == 0 || figures.connectNs > 0;
    const Phase phase = headDone ? Phase::readBody : Phase::waitHead;
    switch (code) {
    case CURLE_COULDNT_CONNECT:
        return connectFailure(transfer.socketErrno != 0 ? transfer.socketErrno : static_cast<int>(error), message);
    case CURLE_COULDNT_RESOLVE_HOST:
        return {ErrorKind::resolve, Phase::connect, message};
    case CURLE_OPERATION_TIMEDOUT:
        if (!connected)
            return {ErrorKind::connectTimeout, Phase::connect, message};
        return {ErrorKind::timeout, figures.requestBytes == 0 ? Phase::send : phase, message};
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
        return {ErrorKind::closedEarly, phase, message};
    case CURLE_SEND_ERROR:
        return {error == EPIPE ? ErrorKind::closedEarly : ErrorKind::reset, Phase::send, message};
    case CURLE_RECV_ERROR:
        if (error == 0 && message.starts_with("Too large response headers")) // 7.88 has no code of its own for it
            return {ErrorKind::tooLarge, Phase::waitHead, message};
        return {error == ECONNRESET || error == 0 ? ErrorKind::reset : ErrorKind::closedEarly, phase, message};
    case CURLE_OUT_OF_MEMORY: // this is how libcurl 7.88 refuses a header line over 100 KB
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE:
#endif
        return {ErrorKind::tooLarge, Phase::waitHead, "the head of the answer is larger than libcurl takes"};
    default:
        return {ErrorKind::malformed, phase, message};
    }
}

std::vector<OpenRequest> CurlMultiTransport::openRequests() const
{
    std::vector<OpenRequest> open;
    for (const auto& transfer : m_transfers) {
        if (!transfer->pending)
            continue;
        const Figures figures = figuresOf(transfer->easy.get());
        const bool sent = figures.requestBytes > 0 || figures.newConnections == 0;
        if (sent || m_task.options.newConnections)
            open.push_back({transfer->slot, transfer->startNs + (m_task.options.newConnections ? 0 : figures.sendNs)});
    }
    return open;
}

} // namespace lapbench
