#pragma once

#include "core/host/conditions.h"
#include "core/result/session_result.h"

#include <cstdint>
#include <vector>

namespace lapbench {

/// The bounds of the warnings, in one place; what is a counter is judged by its difference over the session.
namespace condition_bounds {
inline constexpr double kLoadPressure = 0.10;        ///< CPU, before the session: as much is `cpu_pressure`
inline constexpr double kMemoryPressure = 0.01;      ///< before or after: as much is `memory_pressure`
inline constexpr double kStealShare = 0.01;          ///< of the machine's time: as much is `steal`
inline constexpr std::uint64_t kSwappedPages = 256;  ///< 1 MiB of pages: as many are `swapping`
inline constexpr std::uint64_t kThrottled = 1;       ///< as many are `throttled`, `thermal_throttled`
inline constexpr std::uint64_t kListenOverflows = 1; ///< overflows or drops: as many are `listen_overflows`
inline constexpr std::uint64_t kTcpRetransmits = 10; ///< as many are `tcp_retransmits`
} // namespace condition_bounds

/// What of the machine's state casts doubt on a session, in the order governor, turbo (information), battery,
/// throttled, thermal_throttled, steal, cpu_pressure, memory_pressure, swapping, listen_overflows, tcp_retransmits.
/// What is not known is passed over. Pure.
std::vector<Warning> conditionWarnings(const Conditions& before, const Conditions& after);

} // namespace lapbench
