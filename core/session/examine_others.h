#pragma once

#include "core/host/host_info.h"
#include "core/server/busy_processes.h"

#include <vector>

namespace lapbench {

/// "others": what other programs take of the processors right now. `cpus`: of the machine, at least 1. Pure.
DoctorFinding judgeOthers(const std::vector<BusyProcess>& busiest, unsigned cpus);

/// Watches all processes but this one and its own for 300 ms. Any thread.
DoctorFinding examineOthers();

} // namespace lapbench
