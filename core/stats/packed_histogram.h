#pragma once

#include "core/stats/histogram.h"

#include <cstdint>
#include <string>

namespace lapbench {

/// A sparse histogram in about 2 bytes a counter, for those that are kept while a load runs: steps from index to index
/// and counts as LEB128 numbers. A value type; one thread at a time.
class PackedHistogram {
public:
    PackedHistogram() = default;
    explicit PackedHistogram(const SparseHistogram& histogram);

    /// A counter that is not 0; the indices ascend.
    void add(std::uint32_t index, std::uint64_t count);
    std::uint64_t total() const { return m_total; }
    SparseHistogram unpacked() const;
    std::size_t bytes() const { return m_bytes.size(); }
    /// Gives back what was reserved for more.
    void trim() { m_bytes.shrink_to_fit(); }

private:
    void put(std::uint64_t number);

    std::string m_bytes;
    std::uint32_t m_next = 0; ///< the lowest index that may come
    std::uint64_t m_total = 0;
};

} // namespace lapbench
