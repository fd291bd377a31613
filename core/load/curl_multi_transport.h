#pragma once

#include "core/load/curl_driver.h"
#include "core/load/curl_setup.h"
#include "core/load/opener.h"
#include "core/load/transport.h"
#include "core/load/wire_task.h"
#include "core/workload/request_cursor.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapbench {

/// Every request a libcurl transfer: one permanent easy handle a slot, at most kMostOfMulti of them to a multi handle,
/// which looks through all its connections for each; with HTTP/2 and 3 a connection and its streams have one to
/// themselves. Differs from KeepAliveTransport where libcurl does: connections open with the first request that needs
/// one (one is opened ahead to see that there is a server), a request that lost a reused connection may be sent more
/// than once more, bytes after the end of an answer close the connection and are no error, and the framing of chunks is
/// not among the bytes received.
class CurlMultiTransport final : public Transport {
public:
    static constexpr unsigned kMostOfMulti = 16;

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
        unsigned again = 0; ///< how often on a new connection, after kept ones had been closed
        bool fresh = false; ///< a socket was opened for it
        bool told = false;  ///< and that it is connected
        bool begins = true; ///< HTTP/2 by prior knowledge, on a connection of its own
        bool stray = false; ///< would have opened one without that
        bool wantsText = false;
        int socketErrno = 0;
        std::int64_t startNs = 0;
        std::int64_t socketNs = 0; ///< when its connection was begun, where it is fresh
        std::uint64_t body = 0, sent = 0, headBytes = 0;
        std::string refused; ///< host of a redirect that is not followed
        std::string head;    ///< how the answer begins
        std::string text;    ///< the body, where the check of its kind needs it
        CurlUrl url;         ///< what follows is of a request that is not constant
        CurlList headers;
        std::string postFields;
        std::array<char, CURL_ERROR_SIZE> message{};
        CurlEasy easy;
    };
    /// What libcurl knows of a transfer; asked for where a connection is new or the transfer failed.
    struct Figures {
        std::int64_t connectNs = 0, sendNs = 0, requestBytes = 0;
    };
    struct Shard {
        CurlMultiTransport* owner = nullptr;
        unsigned first = 0;                                     ///< slot
        bool opening = false, connected = false, ready = false; ///< with HTTP/2 and 3: its one connection
        bool lost = false;                                      ///< that connection was closed
        unsigned sockets = 0;                                   ///< open now
        std::vector<std::pair<curl_socket_t, unsigned>>
            untold;                    ///< those nobody was told of, with the slot they are for
        unsigned toReplace = 0;        ///< connections that were told of, closed, and not opened again
        unsigned opener = 0;           ///< slot, while it is opening
        std::vector<unsigned> waiting; ///< slots whose requests wait for that
        std::unique_ptr<CurlDriver> driver;
    };
    struct Kind {
        CurlUrl url;
        CurlList headers;
    };

    static std::size_t takeBody(char* bytes, std::size_t size, std::size_t count, void* transfer);
    static std::size_t takeHead(char* bytes, std::size_t size, std::size_t count, void* transfer);
    static int beforeSending(void* transfer, char* addressThere, char* addressHere, int portThere, int portHere);
    static curl_socket_t openSocket(void* transfer, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* driver, curl_socket_t fd);

    void prepare(Transfer& transfer, Shard& shard);
    void setRequest(Transfer& transfer, std::uint64_t number);
    CurlUrl urlOf(const PreparedRequest& request) const;
    CurlList headersOf(const PreparedRequest& request) const;
    static std::string foreignHost(CURL* easy, std::string_view headerLine);
    bool multiplexes() const { return m_task.options.http != HttpVersion::http1; }
    Shard& shardOf(unsigned slot) { return *m_shards[slot / m_perShard]; }
    static Figures figuresOf(CURL* easy);
    void join(Transfer& transfer);
    void add(Transfer& transfer);
    std::int64_t expiryOf(const Transfer& transfer) const;
    void expire(std::int64_t nowNs);
    void joinWaiting();
    void joinAnew(Shard& shard);
    void settleOpening(Shard& shard, const Sample& sample, bool connected);
    void collect(Shard& shard);
    void conclude(Transfer& transfer, CURLcode code);
    void tellConnection(Transfer& transfer, const Figures& figures);
    void tellVersion(const Transfer& transfer) const;
    static Failure failureOf(const Transfer& transfer, CURLcode code, const Figures& figures);
    void probed();

    const WireTask m_task;
    Poller& m_poller;
    TransportSink& m_sink;
    const CurlSetup m_setup;
    CurlSockets m_sockets;
    const unsigned m_perShard;
    RequestCursor m_cursor;
    std::vector<Kind> m_kinds; ///< of those that are constant
    std::unique_ptr<Opener> m_probe;
    std::vector<std::unique_ptr<Transfer>> m_transfers;
    std::vector<std::unique_ptr<Shard>> m_shards;
    std::vector<unsigned> m_retries;              ///< slots whose connection is to be tried again in a moment
    std::vector<std::uint32_t> m_touched;         ///< indices of shards that an event has reached
    bool m_anyLost = false;                       ///< a shard has lost its connection
    std::int64_t m_expireNs = CurlDriver::kNever; ///< no request times out before this
    unsigned m_open = 0, m_peakOpen = 0;
};

} // namespace lapbench
