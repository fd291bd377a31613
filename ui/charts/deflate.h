#pragma once

#include "core/base/result.h"

#include <QByteArray>

namespace lapbench {

/// A zlib stream (RFC 1950) of `plain`; the same bytes give the same stream.
QByteArray deflated(QByteArrayView plain);

/// The inverse. Problems: no whole zlib stream; more than `most` bytes come out, of which no more are made.
Result<QByteArray> inflated(QByteArrayView stream, qsizetype most);

} // namespace lapbench
