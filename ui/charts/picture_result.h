#pragma once

#include "core/base/result.h"
#include "core/result/session_result.h"

#include <QByteArrayView>

#include <filesystem>

namespace lapbench {

/// Where a picture keeps the result it was drawn from: an element of this name and namespace in an SVG, a text of this
/// name in a PNG.
inline constexpr char kPictureElement[] = "result";
inline constexpr char kPictureNamespace[] = "urn:lapbench:picture";
inline constexpr char kPictureText[] = "lapbench-result";

/// Whether a file that begins like this is a picture of whatever kind (also JPEG, GIF, WebP and PDF, which never carry
/// a result), so that it can be said.
bool isPicture(QByteArrayView beginning);

/// The result that an SVG or a PNG drawn by Lapbench carries; other programs may have resized or repacked it. Its
/// pixels are not decoded, and no entity or other file is followed. Problems: unreadable, larger than 64 MiB, carries
/// none, what it carries is damaged.
Result<SessionResult> resultInPicture(const std::filesystem::path& path);

} // namespace lapbench
