#pragma once

#include "core/base/result.h"

#include <QByteArray>

#include <optional>

namespace lapbench {

/// Whether bytes begin as a PNG does.
bool isPng(QByteArrayView bytes);

/// The first text of that name in a PNG (chunks tEXt, zTXt and iTXt, before the picture or after it); absent where
/// there is none. The picture itself is not decoded, and of a broken file what stands before the break is found.
/// Problems, without a path: the text is compressed and damaged, or longer than `most` bytes.
Result<std::optional<QByteArray>> pngText(QByteArrayView png, QByteArrayView name, qsizetype most);

} // namespace lapbench
