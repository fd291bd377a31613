#include "core/load/transport_choice.h"

#include "core/load/curl_setup.h"
#include "core/plan/wire_check.h"

namespace lapbench {

namespace {

Result<void> checkScheme(HttpVersion http, bool secure)
{
    switch (http) {
    case HttpVersion::http1:
        return {};
    case HttpVersion::http2:
        if (!secure)
            return Problem{"http", "HTTP/2 over TLS needs an https URL",
                           "write https://, or ask for 2-prior-knowledge"};
        return {};
    case HttpVersion::http2Knowledge:
        if (secure)
            return Problem{"http", "prior knowledge of HTTP/2 is for http URLs", "ask for http 2"};
        return {};
    case HttpVersion::http3:
        if (!secure)
            return Problem{"http", "HTTP/3 needs an https URL", "write https://"};
        return {};
    }
    return {};
}

} // namespace

Result<TransportKind> chooseTransport(const WireOptions& options, bool secure)
{
    if (Problems problems = checkWire(options, ""); !problems.empty())
        return std::move(problems.front());
    if (auto checked = checkScheme(options.http, secure); !checked)
        return checked.problem();
    if (auto able = checkCurlSpeaks(options.http); !able)
        return able.problem();
    if (options.transport != TransportKind::automatic)
        return options.transport;
    const bool curl = options.http != HttpVersion::http1 || options.followRedirects || !options.proxy.empty();
    return curl ? TransportKind::curl : TransportKind::keepAlive;
}

} // namespace lapbench
