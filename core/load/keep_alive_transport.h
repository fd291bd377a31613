#pragma once

#include "core/base/clock.h"
#include "core/load/curl_tls_opener.h"
#include "core/load/response_reader.h"
#include "core/load/transport.h"
#include "core/load/wire_task.h"
#include "core/workload/request_cursor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// Prepared HTTP/1.1 requests and llhttp over connections that libcurl opened: plain ones it gave away, those with TLS
/// it encrypts. One send and one recv a request; a connection is registered once, edge-triggered, and reads into a
/// buffer that all of them share.
class KeepAliveTransport final : public Transport {
public:
    /// Keeps references to what it is given.
    KeepAliveTransport(const WireTask& task, Poller& poller, TransportSink& sink);
    ~KeepAliveTransport() override;

    unsigned openAhead() override;
    void start(unsigned slot, std::uint64_t number, std::int64_t nowNs) override;
    void poll(std::int64_t untilNs) override;
    std::vector<OpenRequest> openRequests() const override;
    unsigned open() const override { return m_open; }
    unsigned peakOpen() const override { return m_peakOpen; }

private:
    struct Connection {
        int fd = -1;
        CurlTlsChannel* tls = nullptr; ///< what to send and receive by instead; it owns `fd` then
        bool pending = false;          ///< a request is under way on this slot
        bool asked = false;            ///< a connection is being opened for it
        bool stale = false;            ///< that one was asked for by a request that has ended meanwhile
        bool everOpened = false;       ///< this slot had a connection before
        bool served = false;           ///< this descriptor has brought an answer before
        bool again = false;            ///< the request lost its connection and is sent once more
        bool closing = false;          ///< the peer will send no more than what has arrived
        unsigned kind = 0;
        std::uint64_t number = 0;
        std::uint64_t size = 0, sent = 0; ///< of the request
        std::string_view message;         ///< the request, while not all of it has gone out
        std::string rendered;             ///< what that looks at, where it is of this request alone
        std::int64_t startNs = 0;
        std::uint64_t received = 0;
        ResponseReader reader;
        std::string head; ///< how the answer begins, where it comes in pieces
        std::string text; ///< the body, where the check of its kind needs it
    };

    Opener& openerOf(unsigned slot);
    void askFor(unsigned slot);
    void adopt(const Opened& opened);
    void closeUnused(const Opened& opened) const;
    static ssize_t write(const Connection& connection, std::string_view bytes);
    ssize_t read(const Connection& connection);
    void begin(Connection& connection);
    void send(unsigned slot);
    void sendRest(unsigned slot);
    void onEvent(unsigned slot, std::uint32_t events);
    void receive(unsigned slot);
    void take(unsigned slot, std::size_t size);
    void lost(unsigned slot, int error, bool whileSending);
    void drop(Connection& connection);
    void fail(unsigned slot, const Failure& failure);
    void finish(unsigned slot, const Failure* failure, std::string_view head);
    void expire(std::int64_t nowNs);
    void runOpeners();

    const WireTask m_task;
    Poller& m_poller;
    TransportSink& m_sink;
    const CurlSetup m_setup;
    CurlSockets m_sockets;
    std::vector<std::unique_ptr<Opener>> m_openers;
    std::vector<Connection> m_connections;
    std::vector<unsigned> m_unfinished; ///< slots that may have more to read or write than one turn allows
    std::vector<char> m_buffer;
    RequestCursor m_cursor;
    std::vector<KnownHead> m_known; ///< by kind of request
    std::int64_t m_expireNs = 0;    ///< no request times out before this
    unsigned m_asked = 0;           ///< connections that have been asked for and not come yet
    unsigned m_open = 0, m_peakOpen = 0;
};

} // namespace lapbench
