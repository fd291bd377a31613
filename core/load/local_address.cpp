#include "core/load/local_address.h"

#include <arpa/inet.h>

namespace lapbench {

std::optional<LocalAddress> parseLocalAddress(const std::string& text)
{
    in_addr four{};
    if (inet_pton(AF_INET, text.c_str(), &four) == 1)
        return LocalAddress(four);
    in6_addr six{};
    if (inet_pton(AF_INET6, text.c_str(), &six) == 1)
        return LocalAddress(six);
    return std::nullopt;
}

} // namespace lapbench
