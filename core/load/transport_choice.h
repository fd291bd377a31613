#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

namespace lapbench {

/// The transport that a task's options ask for or, where they leave it open, the one that can do it: keep-alive for
/// HTTP/1.1 without proxy and redirects, else curl. `secure`: the URL is https. Problems: options that exclude each
/// other, or that this libcurl cannot do.
Result<TransportKind> chooseTransport(const WireOptions& options, bool secure);

} // namespace lapbench
