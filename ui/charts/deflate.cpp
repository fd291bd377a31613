#include "ui/charts/deflate.h"

#include <zlib.h>

#include <algorithm>

namespace lapbench {

namespace {

// zlib's interface takes no const input, and changes none.
Bytef* input(QByteArrayView bytes)
{
    return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

} // namespace

QByteArray deflated(QByteArrayView plain)
{
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    QByteArray stream(static_cast<qsizetype>(size), Qt::Uninitialized);
    if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, input(plain), static_cast<uLong>(plain.size()),
                  Z_BEST_COMPRESSION) != Z_OK)
        return {};
    stream.truncate(static_cast<qsizetype>(size));
    return stream;
}

Result<QByteArray> inflated(QByteArrayView stream, qsizetype most)
{
    const Problem broken{"", "holds compressed text that is damaged", ""};
    z_stream zip{};
    if (inflateInit(&zip) != Z_OK)
        return broken;
    zip.next_in = input(stream);
    zip.avail_in = static_cast<uInt>(stream.size());
    QByteArray plain;
    int status = Z_OK;
    constexpr qsizetype kFirst = 64 << 10;
    while (status == Z_OK && plain.size() <= most) {
        const qsizetype have = plain.size();
        const qsizetype room = std::min(std::max(have, kFirst), most + 1 - have);
        plain.resize(have + room);
        zip.next_out = reinterpret_cast<Bytef*>(plain.data() + have);
        zip.avail_out = static_cast<uInt>(room);
        status = inflate(&zip, Z_NO_FLUSH);
        plain.truncate(have + room - static_cast<qsizetype>(zip.avail_out));
    }
    inflateEnd(&zip);
    if (plain.size() > most)
        return Problem{"", "holds compressed text of more than " + std::to_string(most >> 20) + " MiB", ""};
    if (status != Z_STREAM_END)
        return broken;
    return plain;
}

} // namespace lapbench
