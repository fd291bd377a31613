#pragma once

#include "core/result/audit.h"
#include "core/result/json_reader.h"
#include "core/result/result_json.h"

namespace lapbench {

/// "fair_work": verdict, probes and findings. Absent values have no key.
Json fairWorkToJson(const FairWork& work);
/// The inverse; the verdict follows from the findings, labels and bodies are not saved.
FairWork readFairWork(JsonReader json);

} // namespace lapbench
