#include "core/plan/url.h"

#include "core/plan/placeholders.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace lapbench {

namespace {

bool isGraphic(char c)
{
    return c > 0x20 && c < 0x7f;
}

bool isHostCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

bool isAddressCharacter(char c)
{
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

bool isPort(std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port != 0;
}

/// Host and port of "host:port" or "[::1]:port"; the second is empty where there is no colon behind the host.
std::pair<std::string_view, std::string_view> splitAuthority(std::string_view authority)
{
    const std::size_t from = authority.starts_with('[') ? authority.find(']') : 0;
    const std::size_t colon = from == std::string_view::npos ? from : authority.find(':', from);
    if (colon == std::string_view::npos)
        return {authority, {}};
    return {authority.substr(0, colon), authority.substr(colon)};
}

bool isHost(std::string_view host)
{
    if (host.starts_with('[') && host.ends_with(']') && host.size() > 2)
        return std::all_of(host.begin() + 1, host.end() - 1, isAddressCharacter);
    return !host.empty() && std::all_of(host.begin(), host.end(), isHostCharacter);
}

} // namespace

Result<SplitUrl> splitUrl(std::string_view url)
{
    const std::string shown(url.substr(0, 200));
    const std::string example = "write it as http://host:port/path";
    const std::string masked = maskPlaceholders(url);
    if (!std::all_of(masked.begin(), masked.end(), isGraphic))
        return Problem{shown, "a URL has no blanks, control or non-ASCII characters", "percent-encode them"};
    const std::size_t colon = url.find("://");
    if (colon == std::string_view::npos)
        return Problem{shown, "the URL has no scheme", example};
    const std::string_view scheme = url.substr(0, colon + 3);
    if (scheme != "http://" && scheme != "https://")
        return Problem{shown,
                       "the scheme \"" + std::string(url.substr(0, std::min<std::size_t>(colon, 20))) +
                           "\" is not supported",
                       "use http or https"};
    const std::size_t pathAt = std::min(masked.find_first_of("/?#", scheme.size()), url.size());
    const std::string_view authority = url.substr(scheme.size(), pathAt - scheme.size());
    const std::string_view path = url.substr(0, masked.find('#')).substr(pathAt);
    if (authority.find('@') != std::string_view::npos)
        return Problem{shown, "the URL has a user name in it", "give an Authorization header instead"};
    const auto [host, port] = splitAuthority(authority);
    if (host.empty())
        return Problem{shown, "the URL has no host", example};
    if (!isHost(host))
        return Problem{shown, "\"" + std::string(host) + "\" is no host", example};
    if (!port.empty() && !isPort(port.substr(1)))
        return Problem{shown, "the URL has a bad port", "a port is 1 to 65535"};
    SplitUrl parts{std::string(scheme) + std::string(authority), std::string(path)};
    if (!parts.path.starts_with('/'))
        parts.path.insert(parts.path.begin(), '/');
    return parts;
}

bool isPathOfUrl(std::string_view text)
{
    return text.starts_with('/') && std::all_of(text.begin(), text.end(), isGraphic) &&
           text.find('#') == std::string_view::npos;
}

} // namespace lapbench
