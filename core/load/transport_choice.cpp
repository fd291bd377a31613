#include "core/load/transport_choice.h"

#include "core/load/curl_setup.h"
#include "core/plan/wire_check.h"

namespace lapbench {

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
