#include "tests/fuzz/readings.h"

#include <algorithm>

namespace lapbench::test {

using Progress = ResponseReader::Progress;

bool Reading::sameAs(const Reading& other) const
{
    if (progress != other.progress)
        return false;
    // An answer that ends before its end tells nothing more that counts, but how it ended.
    if (progress == Progress::malformed || progress == Progress::tooLarge)
        return headDone == other.headDone;
    return byClose == other.byClose && headDone == other.headDone && status == other.status &&
           bodyBytes == other.bodyBytes && body == other.body && leftover == other.leftover &&
           (!done() || keepAlive == other.keepAlive);
}

std::string Reading::verdict() const
{
    switch (progress) {
    case Progress::more:
        return "early";
    case Progress::malformed:
        return "malformed";
    case Progress::tooLarge:
        return "too large";
    case Progress::done:
        break;
    }
    return std::to_string(status) + " " + std::to_string(bodyBytes) +
           (leftover != 0 ? " excess"
            : keepAlive   ? " keep"
                          : " close");
}

Reading readingOf(std::string_view bytes, bool toHead, std::uint64_t seed, KnownHead& known)
{
    Reading reading;
    ResponseReader reader;
    reader.begin(toHead, &reading.body);
    std::size_t at = 0;
    while (at < bytes.size() && reading.progress == Progress::more) {
        seed = seed < 2 ? seed : seed * 6364136223846793005U + 1442695040888963407U;
        const std::size_t most = bytes.size() - at;
        const std::size_t size = seed == 0 ? most : seed == 1 ? 1 : 1 + static_cast<std::size_t>(seed >> 33) % most;
        // A copy of its own, so that a sanitizer sees a step beyond its end.
        const std::string piece(bytes.substr(at, size));
        reading.progress = reader.feed(known, piece.data(), piece.size());
        at += size;
    }
    if (reading.progress == Progress::more) {
        reading.progress = reader.close();
        reading.byClose = reading.done();
    }
    reading.headDone = reader.headDone();
    reading.status = reader.headDone() ? reader.status() : 0;
    reading.keepAlive = reading.done() && reader.keepAlive();
    reading.bodyBytes = reader.bodyBytes();
    reading.leftover = reading.done() ? reader.leftover() + bytes.size() - at : 0;
    reading.reason = reading.progress == Progress::malformed ? reader.reason() : "";
    return reading;
}

std::string disagreement(std::string_view bytes, bool toHead, std::uint64_t seed)
{
    KnownHead known, none, other;
    const Reading whole = readingOf(bytes, toHead, 0, known);
    if (whole.done() && whole.leftover + whole.bodyBytes > bytes.size())
        return "more body than bytes";
    if (whole.body.size() != std::min<std::uint64_t>(whole.bodyBytes, ResponseReader::kMostBodyBytes))
        return "the body collected is not the body counted";
    if (whole.progress == Progress::malformed && whole.reason.empty())
        return "malformed without a reason";
    if (!readingOf(bytes, toHead, 0, known).sameAs(whole))
        return "otherwise with its head known";
    // A head of more than kMostHeadBytes is found where a piece ends.
    if (bytes.size() <= ResponseReader::kMostHeadBytes) {
        if (!readingOf(bytes, toHead, 1, none).sameAs(whole))
            return "otherwise byte by byte";
        if (!readingOf(bytes, toHead, seed | 2, none).sameAs(whole))
            return "otherwise in pieces";
        if (!readingOf(bytes, toHead, seed | 2, known).sameAs(whole))
            return "otherwise in pieces with its head known";
    }
    (void)readingOf(bytes, !toHead, 0, other);
    if (!readingOf(bytes, toHead, 0, other).sameAs(whole))
        return "otherwise with its head known from another kind of request";
    if (!whole.done())
        return "";
    Reading alone = whole;
    alone.leftover = 0;
    const std::string_view answer = bytes.substr(0, bytes.size() - whole.leftover);
    if (!readingOf(answer, toHead, 0, other).sameAs(alone))
        return "otherwise without the bytes after it";
    if (!whole.byClose && readingOf(answer.substr(0, answer.size() - 1), toHead, 0, other).progress == Progress::done)
        return "complete before its last byte";
    return "";
}

} // namespace lapbench::test
