#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>

namespace lapbench {

/// An address of this machine that connections come from, with any port. A value.
class LocalAddress {
public:
    explicit LocalAddress(const in_addr& address)
    {
        m_four.sin_family = AF_INET;
        m_four.sin_addr = address;
    }
    explicit LocalAddress(const in6_addr& address)
    {
        m_six.sin6_family = AF_INET6;
        m_six.sin6_addr = address;
    }

    int family() const { return m_any.ss_family; }
    const sockaddr* any() const { return reinterpret_cast<const sockaddr*>(&m_any); }
    socklen_t size() const { return family() == AF_INET ? sizeof m_four : sizeof m_six; }

private:
    union {
        sockaddr_storage m_any{};
        sockaddr_in m_four;
        sockaddr_in6 m_six;
    };
};

/// Nothing where the text is no numeric address.
std::optional<LocalAddress> parseLocalAddress(const std::string& text);

} // namespace lapbench
