#include "tests/support/wire_server.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace lapbench::test {

namespace {

void must(bool done)
{
    if (!done)
        std::abort();
}

int chooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                   unsigned offeredSize, void* withH2)
{
    static constexpr unsigned char kH2[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    const unsigned char* wanted = withH2 != nullptr ? kH2 : kH2 + 3;
    const unsigned wantedSize = withH2 != nullptr ? sizeof kH2 : sizeof kH2 - 3;
    unsigned char* found = nullptr;
    if (SSL_select_next_proto(&found, size, wanted, wantedSize, offered, offeredSize) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

std::string peerOf(int fd)
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    std::array<char, NI_MAXHOST> name{};
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (::getpeername(fd, any, &size) != 0 ||
        ::getnameinfo(any, size, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        return {};
    return name.data();
}

} // namespace

/// One connection, plain until secure() is called.
class WireServer::Peer {
public:
    explicit Peer(int fd) : m_fd(fd) {}

    bool secure(SSL_CTX* context)
    {
        m_ssl.reset(SSL_new(context));
        SSL_set_fd(m_ssl.get(), m_fd);
        if (SSL_accept(m_ssl.get()) != 1)
            return false;
        if (const char* name = SSL_get_servername(m_ssl.get(), TLSEXT_NAMETYPE_host_name))
            m_seen.name = name;
        const unsigned char* protocol = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(m_ssl.get(), &protocol, &size);
        if (size != 0)
            m_seen.protocol.assign(reinterpret_cast<const char*>(protocol), size);
        if (X509* client = SSL_get1_peer_certificate(m_ssl.get())) {
            std::array<char, 256> name{};
            X509_NAME_get_text_by_NID(X509_get_subject_name(client), NID_commonName, name.data(), name.size());
            m_seen.client = name.data();
            X509_free(client);
        }
        return true;
    }

    /// The next request; false at the end of the connection.
    bool next(SeenRequest& request)
    {
        std::size_t end = 0;
        while ((end = m_in.find("\r\n\r\n")) == std::string::npos)
            if (!readMore())
                return false;
        m_seen.head = m_in.substr(0, end);
        m_in.erase(0, end + 4);
        const std::string name = "Content-Length: ";
        const std::size_t length = m_seen.head.find(name);
        const std::size_t size = length == std::string::npos ? 0 : std::stoul(m_seen.head.substr(length + name.size()));
        while (m_in.size() < size)
            if (!readMore())
                return false;
        m_seen.body = m_in.substr(0, size);
        m_in.erase(0, size);
        m_seen.peer = peerOf(m_fd);
        ++m_seen.inConnection;
        request = m_seen;
        return true;
    }

    bool say(const std::string& bytes)
    {
        if (m_ssl)
            return SSL_write(m_ssl.get(), bytes.data(), int(bytes.size())) > 0;
        return ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size());
    }

    void goodbye()
    {
        if (m_ssl)
            SSL_shutdown(m_ssl.get());
    }

private:
    struct SslFree {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
    };
    bool readMore()
    {
        std::array<char, 16384> buffer{};
        const long got = m_ssl ? SSL_read(m_ssl.get(), buffer.data(), int(buffer.size()))
                               : ::recv(m_fd, buffer.data(), buffer.size(), 0);
        if (got <= 0)
            return false;
        m_in.append(buffer.data(), static_cast<std::size_t>(got));
        return true;
    }

    int m_fd;
    std::unique_ptr<SSL, SslFree> m_ssl;
    std::string m_in;
    SeenRequest m_seen;
};

WireAnswer WireServer::hello(const std::string& moreHeaders, const std::string& body)
{
    return {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + moreHeaders + "\r\n" + body};
}

WireServer::WireServer(Options options) : m_options(std::move(options))
{
    ::signal(SIGPIPE, SIG_IGN); // SSL_write has no flag against it
    if (m_options.tls != nullptr) {
        SSL_CTX* context = SSL_CTX_new(TLS_server_method());
        m_context = context;
        must(SSL_CTX_use_certificate_chain_file(context, m_options.tls->server().c_str()) == 1);
        must(SSL_CTX_use_PrivateKey_file(context, m_options.tls->serverKey().c_str(), SSL_FILETYPE_PEM) == 1);
        SSL_CTX_set_alpn_select_cb(context, chooseProtocol, m_options.speaksH2 ? this : nullptr);
        if (m_options.asksForClient) {
            must(SSL_CTX_load_verify_locations(context, m_options.tls->authority().c_str(), nullptr) == 1);
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
        }
    }
    sockaddr_storage address{};
    socklen_t size = 0;
    if (!m_options.unixPath.empty()) {
        auto* path = reinterpret_cast<sockaddr_un*>(&address);
        path->sun_family = AF_UNIX;
        must(m_options.unixPath.size() < sizeof path->sun_path);
        std::memcpy(path->sun_path, m_options.unixPath.c_str(), m_options.unixPath.size() + 1);
        size = sizeof *path;
    } else if (m_options.host.find(':') != std::string::npos) {
        auto* six = reinterpret_cast<sockaddr_in6*>(&address);
        six->sin6_family = AF_INET6;
        must(inet_pton(AF_INET6, m_options.host.c_str(), &six->sin6_addr) == 1);
        size = sizeof *six;
    } else {
        auto* four = reinterpret_cast<sockaddr_in*>(&address);
        four->sin_family = AF_INET;
        must(inet_pton(AF_INET, m_options.host.c_str(), &four->sin_addr) == 1);
        size = sizeof *four;
    }
    auto* any = reinterpret_cast<sockaddr*>(&address);
    m_listenFd = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(m_listenFd >= 0 && ::bind(m_listenFd, any, size) == 0 && ::listen(m_listenFd, m_options.backlog) == 0);
    size = sizeof address;
    must(::getsockname(m_listenFd, any, &size) == 0);
    if (address.ss_family == AF_INET)
        m_port = ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
    else if (address.ss_family == AF_INET6)
        m_port = ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);
    m_thread = std::thread([this] { accept(); });
}

WireServer::~WireServer()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping.store(true);
    }
    m_changed.notify_one();
    ::shutdown(m_listenFd, SHUT_RDWR);
    m_thread.join();
    closeAll();
    for (std::thread& thread : m_threads)
        thread.join();
    ::close(m_listenFd);
    if (!m_options.unixPath.empty())
        ::unlink(m_options.unixPath.c_str());
    SSL_CTX_free(static_cast<SSL_CTX*>(m_context));
}

std::vector<SeenRequest> WireServer::seen() const
{
    const std::lock_guard lock(m_mutex);
    return m_seen;
}

void WireServer::closeAll()
{
    const std::lock_guard lock(m_mutex);
    for (const int fd : m_fds)
        ::shutdown(fd, SHUT_RDWR);
}

void WireServer::accept()
{
    for (;;) {
        const int fd = ::accept4(m_listenFd, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0 || m_stopping.load()) {
            if (fd >= 0)
                ::close(fd);
            if (m_stopping.load())
                return;
            continue;
        }
        m_connections.fetch_add(1);
        m_open.fetch_add(1);
        {
            const std::lock_guard lock(m_mutex);
            m_fds.insert(fd);
        }
        m_threads.emplace_back([this, fd] { serve(fd); });
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock,
                       [this] { return m_stopping.load() || m_fds.empty() || m_seen.size() >= m_options.aloneFor; });
    }
}

void WireServer::serve(int fd)
{
    bool reset = false;
    {
        Peer peer(fd);
        auto* context = static_cast<SSL_CTX*>(m_context);
        const bool atOnce = context != nullptr && !m_options.tlsInTunnel;
        SeenRequest request;
        for (bool going = !atOnce || peer.secure(context); going && peer.next(request);) {
            {
                const std::lock_guard lock(m_mutex);
                m_seen.push_back(request);
            }
            m_changed.notify_one();
            if (request.head.starts_with("CONNECT ")) {
                going = peer.say("HTTP/1.1 200 Go On\r\n\r\n") && (context == nullptr || peer.secure(context));
                continue;
            }
            const WireAnswer answer = m_options.answer(request);
            going = (answer.bytes.empty() || peer.say(answer.bytes)) &&
                    (answer.rest.empty() || peer.say(answer.rest)) && !answer.thenClose && !answer.reset;
            reset = answer.reset;
            if (answer.thenClose && !answer.rudely)
                peer.goodbye();
        }
    }
    // What is on its way would turn the close into a reset, which takes from the client what it has not read.
    if (!reset)
        ::shutdown(fd, SHUT_WR);
    std::array<char, 4096> rest{};
    while (!reset && !m_stopping.load() && ::recv(fd, rest.data(), rest.size(), 0) > 0)
        continue;
    const std::lock_guard lock(m_mutex);
    m_fds.erase(fd);
    m_changed.notify_one();
    m_open.fetch_sub(1);
    if (const linger now{1, 0}; reset)
        ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(fd);
}

} // namespace lapbench::test
