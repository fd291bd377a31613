#pragma once

#include "core/base/result.h"
#include "core/stats/histogram.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lapbench {

/// A histogram that another program wrote with HdrHistogram: its own range, digits and unit. A value type.
struct ForeignHistogram {
    struct Bucket {
        std::uint64_t lowest = 0, highest = 0; ///< the values that share the counter, in the unit of that program
        std::uint64_t count = 0;               ///< above 0
    };
    std::vector<Bucket> buckets; ///< ascending

    /// Each bucket at its highest value, which is what HdrHistogram reports for it, in nanoseconds: `unitNs` for one of
    /// its own, above 0. Values above hdr::kHighestNs clamp and are added to `clamped`.
    SparseHistogram inNanoseconds(double unitNs, std::uint64_t& clamped) const;
};

/// Reads the deflated encodings V0, V1 and V2 in base64, of 0 to 5 significant digits. Problems: anything else, such as
/// a histogram of decimal numbers.
Result<ForeignHistogram> decodeForeign(std::string_view base64);

} // namespace lapbench
