#pragma once

#include "core/load/transport.h"
#include "core/stats/summary.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapbench {

/// Errors by kind and phase, with the first exchange that failed so. A value type; one thread at a time.
class ErrorBook {
public:
    void add(ErrorKind kind, Phase phase, std::int64_t atNs, std::string_view message, std::string_view head);
    void add(const ErrorBook& other);
    /// Most frequent first; times since `openedNs`.
    std::vector<ErrorCount> counts(std::int64_t openedNs) const;

private:
    struct Entry {
        std::uint64_t count = 0;
        std::int64_t firstNs = 0;
        std::string message, head;
    };
    std::map<std::pair<ErrorKind, Phase>, Entry> m_entries;
};

} // namespace lapbench
