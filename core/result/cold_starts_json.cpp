#include "core/result/cold_starts_json.h"

namespace lapbench {

void putColdStarts(nlohmann::ordered_json& record, const std::vector<ColdStarts>& starts)
{
    for (const ColdStarts& target : starts) {
        nlohmann::ordered_json json{{"target", target.target}, {"ms", target.ms}};
        if (target.medianMs)
            json["median_ms"] = *target.medianMs;
        if (target.p95Ms)
            json["p95_ms"] = *target.p95Ms;
        if (!target.failure.empty())
            json["failure"] = target.failure;
        record["cold_starts"].push_back(std::move(json));
    }
}

void readColdStarts(JsonReader& record, std::vector<ColdStarts>& starts)
{
    starts.clear();
    const auto* list = record.array("cold_starts");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        JsonReader item = record.element("cold_starts", *list, i);
        ColdStarts target;
        target.target = item.text("target");
        const auto* ms = item.array("ms");
        for (std::size_t start = 0; ms != nullptr && start < ms->size(); ++start) {
            if ((*ms)[start].is_number())
                target.ms.push_back((*ms)[start].get<double>());
            else
                item.fail("ms", "is no list of numbers");
        }
        target.medianMs = item.number("median_ms");
        target.p95Ms = item.number("p95_ms");
        target.failure = item.text("failure");
        starts.push_back(std::move(target));
    }
}

} // namespace lapbench
