#include "core/plan/placeholders.h"
#include "core/plan/plan_check.h"
#include "core/plan/url.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace lapbench {

namespace {

/// RFC 9110, 5.6.2.
bool isToken(std::string_view text)
{
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kMarks.find(c) != std::string_view::npos;
    });
}

/// Headers that say where a message ends: the transport writes them itself.
bool isFraming(std::string name)
{
    for (char& c : name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name == "content-length" || name == "transfer-encoding" || name == "connection";
}

/// Whether a path can be asked for, whatever stands for its placeholders; only the values know whether one that begins
/// with a placeholder begins with a slash.
bool isPath(std::string_view text)
{
    std::string masked = maskPlaceholders(text);
    if (text.starts_with("{{"))
        masked.front() = '/';
    return isPathOfUrl(masked);
}

/// What a workload with a mix says for itself although its requests say it, by its key; empty where it is nothing.
std::string saidBesideMix(const Workload& workload)
{
    const RequestTemplate plain;
    if (workload.method != plain.method)
        return "method";
    if (workload.path != plain.path)
        return "path";
    if (!workload.headers.empty())
        return "headers";
    if (!workload.body.empty())
        return "body";
    if (!workload.bodyFile.empty())
        return "body_file";
    if (workload.expectStatus != plain.expectStatus)
        return "expect_status";
    if (workload.expectBytes)
        return "expect_bytes";
    if (!workload.expectContains.empty())
        return "expect_contains";
    return workload.expectJson.empty() ? "" : "expect_json";
}

class WorkloadChecker {
public:
    Problems check(const Workload& workload, const std::string& place)
    {
        const std::string prefix = place.empty() ? "" : place + ".";
        if (workload.requests.empty())
            checkRequest(workload, prefix);
        else
            checkMix(workload, prefix);
        return std::move(m_problems);
    }

private:
    void problem(std::string path, std::string message, std::string cure)
    {
        m_problems.push_back({std::move(path), std::move(message), std::move(cure)});
    }

    void checkMix(const Workload& workload, const std::string& prefix)
    {
        if (const std::string key = saidBesideMix(workload); !key.empty())
            problem(prefix + key, "does not go together with requests", "say it in each of the requests");
        std::set<std::string> names;
        for (std::size_t i = 0; i < workload.requests.size(); ++i) {
            const RequestTemplate& request = workload.requests[i];
            const std::string place = prefix + "requests[" + std::to_string(i) + "].";
            if (request.name.empty())
                problem(place + "name", "is empty", "give it a name");
            else if (!names.insert(request.name).second)
                problem(place + "name", "\"" + request.name + "\" stands twice",
                        "give each request of the mix a name of its own");
            checkRequest(request, place);
        }
        checkWeights(workload.requests, prefix);
    }

    /// Each cycle of a mix is shuffled between two requests; a long one would be a pause that shows in the latencies.
    void checkWeights(const std::vector<RequestTemplate>& requests, const std::string& prefix)
    {
        constexpr std::uint64_t kMost = 10'000;
        unsigned divisor = 0;
        std::uint64_t sum = 0;
        for (const RequestTemplate& request : requests) {
            divisor = std::gcd(divisor, request.weight);
            sum += request.weight;
        }
        if (divisor != 0 && sum / divisor > kMost)
            problem(prefix + "requests", "the weights add up to " + std::to_string(sum / divisor),
                    "give smaller ones, which add up to at most " + std::to_string(kMost));
    }

    void checkRequest(const RequestTemplate& request, const std::string& prefix)
    {
        if (!isToken(request.method))
            problem(prefix + "method", "\"" + request.method + "\" is no HTTP method", "for example GET");
        if (!isPath(request.path))
            problem(prefix + "path", "\"" + request.path + "\" is no path", "start it with /, percent-encoded");
        for (const auto& [name, value] : request.headers)
            checkHeader(name, value, prefix);
        if (!request.body.empty() && !request.bodyFile.empty())
            problem(prefix + "body_file", "does not go together with body", "give one of them");
        for (const auto& [pointer, text] : request.expectJson)
            if (!isJsonPointer(pointer))
                problem(prefix + "expect_json", "\"" + pointer + "\" is no JSON pointer", "for example /user/id");
        if (request.method == "HEAD" && (!request.expectContains.empty() || !request.expectJson.empty()))
            problem(prefix + (request.expectJson.empty() ? "expect_contains" : "expect_json"),
                    "answers to HEAD have no body", "leave it out or use GET");
    }

    void checkHeader(const std::string& name, const std::string& value, const std::string& prefix)
    {
        if (!isToken(name))
            problem(prefix + "headers", "\"" + name + "\" is no name of a header", "use letters, digits and dashes");
        else if (isFraming(name))
            problem(prefix + "headers", "\"" + name + "\" is set by Lapbench", "leave it out");
        else if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
            problem(prefix + "headers", "the value of \"" + name + "\" holds a line break", "leave it out");
    }

    Problems m_problems;
};

} // namespace

Problems checkWorkload(const Workload& workload, const std::string& place)
{
    return WorkloadChecker().check(workload, place);
}

bool isJsonPointer(std::string_view text)
{
    if (!text.empty() && text.front() != '/')
        return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
            return false;
    return true;
}

} // namespace lapbench
