#pragma once

#include "core/workload/request_script.h"

#include <cstdint>
#include <string_view>

namespace lapbench {

/// One worker's hand in a script: turns the numbers of requests into what is sent, in buffers of its own that it keeps,
/// so that nothing is allocated on the way. Not for two threads at once; the script outlives it.
class RequestCursor {
public:
    explicit RequestCursor(const RequestScript& script) : m_script(script) {}

    const RequestKind& kind(unsigned index) const { return m_script.kinds()[index]; }
    /// Which of the script's kinds the request of this number is.
    unsigned kindOf(std::uint64_t) const { return 0; }
    /// The whole HTTP/1.1 message. Valid until the next call; where the kind is constant, as long as the script.
    std::string_view message(std::uint64_t) { return kind(0).prepared.bytes; }
    /// The same in parts (target, headers, body; `bytes` is empty where the kind is not constant). Valid as above.
    const PreparedRequest& parts(std::uint64_t) { return kind(0).prepared; }

private:
    const RequestScript& m_script;
};

} // namespace lapbench
