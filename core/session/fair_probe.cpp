#include "core/load/curl_endpoint.h"
#include "core/net/http_client.h"
#include "core/result/sha256.h"
#include "core/session/fair_wording.h"
#include "core/session/fair_work.h"
#include "core/session/json_body.h"
#include "core/workload/request_cursor.h"
#include "core/workload/request_script.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

// Asks one target what it answers.

namespace lapbench {

namespace {

constexpr std::size_t kMostBytes = 16u << 20;
constexpr const char* kStopped = "the session was stopped";
constexpr std::size_t kKeptBytes = 1u << 20; ///< of a body that findings are to name a field of

HttpWay wayOf(const WireOptions& options)
{
    HttpWay way;
    switch (options.http) {
    case HttpVersion::http1:
        break;
    case HttpVersion::http2:
        way.version = HttpWay::Version::two;
        break;
    case HttpVersion::http2Knowledge:
        way.version = HttpWay::Version::twoKnowledge;
        break;
    case HttpVersion::http3:
        way.version = HttpWay::Version::three;
        break;
    }
    way.insecure = options.insecure;
    way.caCert = options.caCert;
    way.cert = options.cert;
    way.key = options.key;
    way.resolve = options.resolve;
    way.localAddress = options.interfaces.empty() ? std::string() : options.interfaces.front();
    way.unixSocket = options.unixSocket;
    way.ipv4 = options.ipv4;
    way.ipv6 = options.ipv6;
    way.proxy = options.proxy;
    way.followRedirects = options.followRedirects;
    way.timeout = options.timeout;
    way.connectTimeout = options.connectTimeout;
    return way;
}

bool isNamed(const std::string& name, const char* other)
{
    return strcasecmp(name.c_str(), other) == 0;
}

std::string headerOf(const HttpHeaders& headers, const char* name)
{
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [name](const auto& header) { return isNamed(header.first, name); });
    return found == headers.end() ? std::string() : found->second;
}

bool hasHeader(const HttpHeaders& headers, const char* name)
{
    return std::any_of(headers.begin(), headers.end(),
                       [name](const auto& header) { return isNamed(header.first, name); });
}

/// Whether one of the words of a list such as "close, te" is `word`.
bool listHolds(const std::string& list, std::string_view word)
{
    const std::string text = lowered(list);
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        std::string_view item = std::string_view(text).substr(at, comma - at);
        while (!item.empty() && (item.front() == ' ' || item.front() == '\t'))
            item.remove_prefix(1);
        while (!item.empty() && (item.back() == ' ' || item.back() == '\t'))
            item.remove_suffix(1);
        if (item == word)
            return true;
        at = comma + 1;
    }
    return false;
}

std::string framingOf(const HttpAnswer& answer, bool toHead)
{
    if (toHead || answer.status == 204 || answer.status == 304)
        return "none";
    if (listHolds(headerOf(answer.headers, "Transfer-Encoding"), "chunked"))
        return "chunked";
    if (hasHeader(answer.headers, "Content-Length"))
        return "content-length";
    return answer.version == "2" || answer.version == "3" ? "stream" : "close";
}

/// Bytes of the body as it was sent; of one that was cut what the head says, where it does, and else what was read.
std::uint64_t bytesOf(const HttpAnswer& answer, const std::string& framing)
{
    std::uint64_t length = answer.body.size();
    if (answer.cut && framing == "content-length") {
        const std::string text = headerOf(answer.headers, "Content-Length");
        std::from_chars(text.data(), text.data() + text.size(), length);
    }
    return length;
}

/// Whether the head says that the connection ends, or the framing makes it end.
bool announcesEnd(const HttpAnswer& answer, const std::string& framing)
{
    if (answer.version == "2" || answer.version == "3")
        return false;
    const std::string connection = headerOf(answer.headers, "Connection");
    return framing == "close" || listHolds(connection, "close") ||
           (answer.version == "1.0" && !listHolds(connection, "keep-alive"));
}

std::string compressionOf(const HttpAnswer& answer)
{
    const std::string coding = lowered(headerOf(answer.headers, "Content-Encoding"));
    return coding == "identity" ? std::string() : coding;
}

/// All requests of one target, on one client.
class Prober {
public:
    Prober(const Plan& plan, std::string url, const std::atomic<bool>* stop)
        : m_plan(plan), m_url(std::move(url)), m_stop(stop), m_client(wayOf(plan.load))
    {}

    void probe(const PreparedRequest& asked, FairProbe& probe)
    {
        if (stopping()) {
            probe.failure = kStopped;
            return;
        }
        HttpRequest request;
        request.url = m_url + asked.target;
        request.target = asked.target;
        request.method = asked.method;
        request.headers = asked.headers;
        request.body = asked.body;
        request.maxBytes = kMostBytes;
        auto first = m_client.exchange(request, [this] { return stopping(); });
        if (!first) {
            probe.failure = stopping() ? std::string(kStopped) : first.problem().message;
            return;
        }
        describeHead(first.value(), asked.isHead(), probe);
        lookAgain(request, std::move(first).value(), probe);
    }

private:
    bool stopping() const { return m_stop != nullptr && m_stop->load(); }

    static void describeHead(const HttpAnswer& answer, bool toHead, FairProbe& probe)
    {
        probe.status = answer.status;
        probe.httpVersion = answer.version;
        probe.headers = answer.headers;
        probe.framing = framingOf(answer, toHead);
        probe.compression = compressionOf(answer);
        probe.date = hasHeader(answer.headers, "Date");
        probe.closes = announcesEnd(answer, probe.framing);
        const std::string type = lowered(headerOf(answer.headers, "Content-Type"));
        probe.contentType = type.substr(0, type.find_first_of("; "));
        probe.bodyBytes = bytesOf(answer, probe.framing);
        probe.bodyCut = answer.cut;
    }

    /// Whether the connection was kept and the answer is the same. A body that was cut has cost its connection, and is
    /// not fetched twice.
    void lookAgain(const HttpRequest& request, HttpAnswer before, FairProbe& probe)
    {
        if (!probe.bodyCut && !stopping()) {
            auto next = m_client.exchange(request, [this] { return stopping(); });
            if (!next) {
                probe.failure =
                    stopping() ? std::string(kStopped) : "asked again, it gave no answer: " + next.problem().message;
                return;
            }
            if (!next.value().reused)
                probe.closes = true;
            if (!probe.compression.empty())
                decode(request, before, next.value());
            probe.varies = changeOf(before, next.value());
        }
        probe.bodyCut = before.cut;
        probe.body = std::move(before.body);
        describeBody(probe, m_plan.fairWork);
        if (probe.body.size() > kKeptBytes)
            std::string().swap(probe.body);
    }

    /// Fetches both answers again, decoded; leaves them as they are where libcurl cannot do that.
    void decode(HttpRequest request, HttpAnswer& before, HttpAnswer& after)
    {
        request.decode = true;
        auto first = m_client.exchange(request, [this] { return stopping(); });
        auto second = m_client.exchange(request, [this] { return stopping(); });
        if (!first || !second)
            return;
        before = std::move(first).value();
        after = std::move(second).value();
    }

    std::string changeOf(const HttpAnswer& before, const HttpAnswer& after) const
    {
        if (before.status != after.status)
            return "status";
        const std::vector<std::string>& ignore = m_plan.fairWork.ignore;
        const JsonBody a = JsonBody::read(before.body, ignore), b = JsonBody::read(after.body, ignore);
        return a.canonical == b.canonical ? std::string() : firstDifference(a, b);
    }

    const Plan& m_plan;
    const std::string m_url; ///< up to the path
    const std::atomic<bool>* m_stop;
    HttpClient m_client;
};

FairProbe blank(const Target& target, const Workload& workload, const RequestTemplate& request)
{
    FairProbe probe;
    probe.target = target.name;
    probe.label = target.shownName();
    probe.workload = workload.name;
    probe.request = request.name;
    probe.method = request.method;
    probe.path = request.path;
    return probe;
}

std::vector<FairProbe> blanks(const Target& target, const Workload& workload)
{
    std::vector<FairProbe> probes;
    if (workload.requests.empty())
        probes.push_back(blank(target, workload, workload));
    for (const RequestTemplate& request : workload.requests)
        probes.push_back(blank(target, workload, request));
    return probes;
}

/// The number of the first request of a kind.
std::uint64_t firstOf(unsigned kind, RequestCursor& cursor)
{
    std::uint64_t number = 0;
    while (cursor.kindOf(number) != kind)
        ++number;
    return number;
}

Result<RequestScript> scriptOf(const Plan& plan, const Workload& workload, const Endpoint& endpoint)
{
    return RequestScript::compile(workload, {endpoint.authority, endpoint.basePath, plan.folder, plan.load.seed});
}

} // namespace

void describeBody(FairProbe& probe, const FairWorkRules& rules)
{
    const JsonBody body = JsonBody::read(probe.body, rules.ignore);
    probe.bodySha256 = sha256Hex(body.canonical);
    // The length of what is left when fields are taken out can only be told of the canonical text.
    probe.comparedBytes = body.anyIgnored                              ? body.canonical.size()
                          : probe.bodyCut && probe.compression.empty() ? probe.bodyBytes
                                                                       : probe.body.size();
}

std::vector<FairProbe> probeTarget(const Plan& plan, const Target& target, const std::string& url,
                                   const std::atomic<bool>* stop)
{
    const auto endpoint = parseEndpoint(url);
    if (!endpoint)
        return unansweredProbes(plan, target, format(endpoint.problem()));
    Prober prober(plan, endpoint.value().url, stop);
    std::vector<FairProbe> all;
    for (const Workload& workload : plan.workloads) {
        std::vector<FairProbe> probes = blanks(target, workload);
        const auto script = scriptOf(plan, workload, endpoint.value());
        for (unsigned kind = 0; kind < probes.size(); ++kind) {
            if (!script) {
                probes[kind].failure = format(script.problem());
                continue;
            }
            RequestCursor cursor(script.value());
            const PreparedRequest& asked = cursor.parts(firstOf(kind, cursor));
            probes[kind].path = asked.target;
            prober.probe(asked, probes[kind]);
        }
        std::move(probes.begin(), probes.end(), std::back_inserter(all));
    }
    return all;
}

std::vector<FairProbe> unansweredProbes(const Plan& plan, const Target& target, const std::string& failure)
{
    std::vector<FairProbe> all;
    for (const Workload& workload : plan.workloads)
        for (FairProbe& probe : blanks(target, workload)) {
            probe.failure = failure;
            all.push_back(std::move(probe));
        }
    return all;
}

} // namespace lapbench
