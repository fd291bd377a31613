#include "ui/charts/png_texts.h"

#include "ui/charts/deflate.h"

#include <QtEndian>

namespace lapbench {

namespace {

// PNG specification, third edition: 5.2 the signature, 5.3 chunks, 11.3.3 texts.
constexpr QByteArrayView kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr qsizetype kChunkFrame = 12; // length, type and checksum around the content

/// Cuts what stands before the next zero byte off `bytes`; all of it where there is none.
QByteArrayView takeToZero(QByteArrayView& bytes)
{
    const qsizetype end = bytes.indexOf('\0');
    const QByteArrayView taken = end < 0 ? bytes : bytes.first(end);
    bytes = end < 0 ? QByteArrayView() : bytes.sliced(end + 1);
    return taken;
}

/// What follows the name in a text chunk, decompressed.
Result<QByteArray> textIn(QByteArrayView type, QByteArrayView content, qsizetype most)
{
    bool compressed = type == "zTXt";
    if (compressed) {
        content = content.sliced(std::min<qsizetype>(1, content.size())); // the method; there is but one
    } else if (type == "iTXt" && content.size() >= 2) {
        compressed = content[0] != 0;
        content = content.sliced(2);
        takeToZero(content); // the language
        takeToZero(content); // the name in that language
    }
    if (compressed)
        return inflated(content, most);
    if (content.size() > most)
        return Problem{"", "holds text of more than " + std::to_string(most >> 20) + " MiB", ""};
    return content.toByteArray();
}

} // namespace

bool isPng(QByteArrayView bytes)
{
    return bytes.startsWith(kSignature);
}

Result<std::optional<QByteArray>> pngText(QByteArrayView png, QByteArrayView name, qsizetype most)
{
    qsizetype at = kSignature.size();
    while (isPng(png) && png.size() - at >= kChunkFrame) {
        const auto size = static_cast<qsizetype>(qFromBigEndian<quint32>(png.data() + at));
        if (size > png.size() - at - kChunkFrame)
            break;
        const QByteArrayView type = png.sliced(at + 4, 4);
        QByteArrayView content = png.sliced(at + 8, size);
        at += kChunkFrame + size;
        if (type != "tEXt" && type != "zTXt" && type != "iTXt")
            continue;
        if (takeToZero(content) != name)
            continue;
        auto text = textIn(type, content, most);
        if (!text)
            return text.problem();
        return std::optional(std::move(text).value());
    }
    return std::optional<QByteArray>();
}

} // namespace lapbench
