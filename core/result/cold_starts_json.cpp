#include "core/result/cold_starts_json.h"

#include "core/result/result_json.h"

namespace lapbench {

void putColdStarts(nlohmann::ordered_json& record, const std::vector<ColdStarts>& starts)
{
    for (const ColdStarts& target : starts) {
        nlohmann::ordered_json json{{"target", target.target}, {"ms", target.ms}};
        put(json, "median_ms", target.medianMs);
        put(json, "p95_ms", target.p95Ms);
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
            if ((*ms)[start].is_number() && (*ms)[start].get<double>() >= 0)
                target.ms.push_back((*ms)[start].get<double>());
            else
                item.fail("ms", "must be a list of numbers, 0 or more");
        }
        target.medianMs = item.number("median_ms");
        target.p95Ms = item.number("p95_ms");
        target.failure = item.text("failure");
        starts.push_back(std::move(target));
    }
}

} // namespace lapbench
