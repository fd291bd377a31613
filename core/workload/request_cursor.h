#pragma once

#include "core/workload/request_script.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lapbench {

/// One worker's hand in a script: turns the numbers of requests into what is sent, in buffers of its own that it keeps,
/// so that nothing is allocated on the way. The same number gives the same bytes again, the time of sending aside. Not
/// for two threads at once; the script outlives it.
class RequestCursor {
public:
    explicit RequestCursor(const RequestScript& script);

    const RequestKind& kind(unsigned index) const { return m_script.kinds()[index]; }
    /// Which of the script's kinds the request of this number is.
    unsigned kindOf(std::uint64_t number) { return turnOf(number).kind; }
    /// The whole HTTP/1.1 message. Valid until the next call of it or of parts(); where the kind is constant, as long
    /// as the script.
    std::string_view message(std::uint64_t number);
    /// The same in parts (target, headers, body; `bytes` is empty where the kind is not constant). Valid until the next
    /// call of it, or as above. The first call allocates.
    const PreparedRequest& parts(std::uint64_t number);

private:
    RequestMix::Turn turnOf(std::uint64_t number) { return m_script.mix().turn(m_script.seed(), number, m_cycle); }
    RequestPoint pointOf(std::uint64_t number, const RequestMix::Turn& turn) const;
    void makeParts();

    const RequestScript& m_script;
    RequestMix::Cycle m_cycle;
    std::unique_ptr<char[]> m_message, m_body; ///< as large as the largest needs
    std::vector<PreparedRequest> m_parts;      ///< of each kind; none until parts() is called
};

} // namespace lapbench
