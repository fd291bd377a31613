#pragma once

#include "core/load/curl_driver.h"
#include "core/load/curl_opener.h"
#include "core/load/transport.h"
#include "core/load/wire_task.h"
#include "core/workload/request_cursor.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace lapbench {

/// Every request a libcurl transfer: one permanent easy handle a slot, at most CurlDriver::kMostTransfers of them to a
/// multi handle. Differs from KeepAliveTransport where libcurl does: connections open with the first request that needs
/// one (one is opened ahead to see that there is a server), a request that lost a reused connection may be sent more
/// than once more, bytes after the end of an answer close the connection and are no error, and the framing of chunks
/// is not among the bytes received.
class CurlMultiTransport final : public Transport {
public:
    /// Keeps references to what it is given.
    CurlMultiTransport(const WireTask& task, Poller& poller, TransportSink& sink);
    ~CurlMultiTransport() override;

    unsigned openAhead() override;
    void start(unsigned slot, std::uint64_t number, std::int64_t nowNs) override;
    void poll(std::int64_t untilNs) override;
    std::vector<OpenRequest> openRequests() const override;
    unsigned open() const override { return m_open; }
    unsigned peakOpen() const override { return m_peakOpen; }

private:
    struct Transfer {
        CurlMultiTransport* owner = nullptr;
        unsigned slot = 0;
        unsigned kind = 0;
        bool pending = false;
        bool again = false; ///< on a new connection, after kept ones had been closed
        int socketErrno = 0;
        std::int64_t connectionsTold = 0;
        std::int64_t startNs = 0;
        std::uint64_t body = 0, sent = 0;
        bool wantsText = false;
        std::string head; ///< how the answer begins
        std::string text; ///< the body, where the check of its kind needs it
        CurlUrl url;      ///< what follows is of a request that is not constant
        CurlList headers;
        std::string postFields;
        std::array<char, CURL_ERROR_SIZE> message{};
        CurlEasy easy;
    };
    struct Figures {
        std::int64_t newConnections = 0, connectNs = 0, sendNs = 0, headBytes = 0, requestBytes = 0;
        int status = 0;
    };

    static std::size_t takeBody(char* bytes, std::size_t size, std::size_t count, void* transfer);
    static std::size_t takeHead(char* bytes, std::size_t size, std::size_t count, void* transfer);
    static int beforeSending(void* transfer, char* addressThere, char* addressHere, int portThere, int portHere);
    static curl_socket_t openSocket(void* transfer, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* driver, curl_socket_t fd);

    struct Shard {
        CurlMultiTransport* owner = nullptr;
        std::unique_ptr<CurlDriver> driver;
    };

    void prepare(Transfer& transfer, Shard& shard);
    void setRequest(Transfer& transfer, std::uint64_t number);
    Shard& shardOf(unsigned slot) { return *m_shards[slot / CurlDriver::kMostTransfers]; }
    static Figures figuresOf(CURL* easy);
    void conclude(Transfer& transfer, CURLcode code);
    void tellConnections(Transfer& transfer, const Figures& figures);
    void add(Transfer& transfer);
    static Failure failureOf(const Transfer& transfer, CURLcode code, const Figures& figures);
    void probed();

    const WireTask m_task;
    Poller& m_poller;
    TransportSink& m_sink;
    struct Kind {
        CurlUrl url;
        CurlList headers;
    };
    CurlUrl urlOf(const PreparedRequest& request) const;
    static CurlList headersOf(const PreparedRequest& request);

    RequestCursor m_cursor;
    std::vector<Kind> m_kinds; ///< of those that are constant
    CurlList m_pin;
    std::unique_ptr<CurlOpener> m_probe;
    std::vector<std::unique_ptr<Transfer>> m_transfers;
    std::vector<std::unique_ptr<Shard>> m_shards;
    unsigned m_open = 0, m_peakOpen = 0;
};

} // namespace lapbench
