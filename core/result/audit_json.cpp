#include "core/result/audit_json.h"

#include <algorithm>

namespace lapbench {

namespace {

void putText(Json& json, const char* key, const std::string& text)
{
    if (!text.empty())
        json[key] = text;
}

Json probeToJson(const FairProbe& probe)
{
    Json json{{"target", probe.target}, {"workload", probe.workload}, {"request", probe.request}};
    putText(json, "method", probe.method);
    putText(json, "path", probe.path);
    if (!probe.failure.empty()) {
        json["failure"] = probe.failure;
        return json;
    }
    json["status"] = probe.status;
    putText(json, "http_version", probe.httpVersion);
    json["headers"] = Json::array();
    for (const auto& [name, value] : probe.headers)
        json["headers"].push_back({{"name", name}, {"value", value}});
    putText(json, "framing", probe.framing);
    putText(json, "compression", probe.compression);
    putText(json, "content_type", probe.contentType);
    json["date"] = probe.date;
    json["closes"] = probe.closes;
    json["body_bytes"] = probe.bodyBytes;
    if (probe.bodyCut)
        json["body_cut"] = true;
    json["compared_bytes"] = probe.comparedBytes;
    putText(json, "body_sha256", probe.bodySha256);
    putText(json, "varies", probe.varies);
    return json;
}

int readStatus(JsonReader& json)
{
    constexpr unsigned kHighest = 999;
    const unsigned status = json.smallCount("status").value_or(0);
    if (status > kHighest)
        json.fail("status", "is no status code");
    return static_cast<int>(std::min(status, kHighest));
}

FairProbe readProbe(JsonReader json)
{
    FairProbe probe;
    probe.target = json.text("target");
    probe.workload = json.text("workload");
    probe.request = json.text("request");
    probe.method = json.text("method");
    probe.path = json.text("path");
    probe.failure = json.text("failure");
    probe.status = readStatus(json);
    probe.httpVersion = json.text("http_version");
    const Json* headers = json.array("headers");
    for (std::size_t i = 0; headers != nullptr && i < headers->size(); ++i) {
        JsonReader header = json.element("headers", *headers, i);
        probe.headers.emplace_back(header.text("name"), header.text("value"));
    }
    probe.framing = json.text("framing");
    probe.compression = json.text("compression");
    probe.contentType = json.text("content_type");
    probe.date = json.flag("date").value_or(false);
    probe.closes = json.flag("closes").value_or(false);
    probe.bodyBytes = json.count("body_bytes").value_or(0);
    probe.bodyCut = json.flag("body_cut").value_or(false);
    probe.comparedBytes = json.count("compared_bytes").value_or(0);
    probe.bodySha256 = json.text("body_sha256");
    probe.varies = json.text("varies");
    return probe;
}

} // namespace

Json fairWorkToJson(const FairWork& work)
{
    Json json{{"verdict", work.verdict()}, {"probes", Json::array()}, {"findings", Json::array()}};
    for (const FairProbe& probe : work.probes)
        json["probes"].push_back(probeToJson(probe));
    for (const FairFinding& finding : work.findings)
        json["findings"].push_back({{"code", finding.code},
                                    {"severity", finding.severity},
                                    {"workload", finding.workload},
                                    {"request", finding.request},
                                    {"targets", finding.targets},
                                    {"text", finding.text}});
    return json;
}

FairWork readFairWork(JsonReader json)
{
    FairWork work;
    const Json* probes = json.array("probes");
    for (std::size_t i = 0; probes != nullptr && i < probes->size(); ++i)
        work.probes.push_back(readProbe(json.element("probes", *probes, i)));
    const Json* findings = json.array("findings");
    for (std::size_t i = 0; findings != nullptr && i < findings->size(); ++i) {
        JsonReader item = json.element("findings", *findings, i);
        work.findings.push_back({item.text("code"), item.text("severity"), item.text("workload"), item.text("request"),
                                 item.texts("targets"), item.text("text")});
    }
    return work;
}

} // namespace lapbench
