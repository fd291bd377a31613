#pragma once

#include "core/result/session_result.h"

#include <QByteArray>

namespace lapbench {

/// A result as text that fits into a picture: its JSON as a zlib stream in base64. Of a result that stays large the
/// latencies of the single seconds are left out, with a remark among its warnings; cells, comparisons and verdicts are
/// the same. Empty where even that is larger than a picture can carry.
QByteArray packResult(const SessionResult& result);

/// The inverse; blanks and line ends within do not matter. Problems, without a path: no base64, no zlib stream, more
/// than 64 MiB come out, no result.
Result<SessionResult> unpackResult(QByteArray packed);

/// The most bytes of packed text: libpng drops longer ones when it reads a picture.
inline constexpr qsizetype kMostPackedBytes = 7'500'000;

} // namespace lapbench
