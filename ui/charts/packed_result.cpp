#include "ui/charts/packed_result.h"

#include "core/result/result_json.h"
#include "ui/charts/deflate.h"

#include <algorithm>

namespace lapbench {

namespace {

constexpr qsizetype kMostPlainBytes = 64 << 20;
/// Compressed. A picture for an article should not weigh more for what it carries than for what it shows.
constexpr qsizetype kMostWholeBytes = 128 << 10;

/// A result's text compressed; empty where it is too large to be read back.
QByteArray compressed(const SessionResult& result)
{
    const std::string text = formatResult(result);
    return text.size() > static_cast<std::size_t>(kMostPlainBytes) ? QByteArray() : deflated(text);
}

SessionResult withoutLatenciesOfSeconds(SessionResult result)
{
    for (Trial& trial : result.trials)
        for (TrialSecond& second : trial.seconds)
            second.load.latency = {};
    const auto isRemark = [](const Warning& warning) { return warning.code == "picture"; };
    if (std::none_of(result.warnings.begin(), result.warnings.end(), isRemark))
        result.warnings.push_back(
            {"picture", "info",
             "The latencies of single seconds were left out of the picture that carried this result.", ""});
    return result;
}

} // namespace

QByteArray packResult(const SessionResult& result)
{
    QByteArray stream = compressed(result);
    if (stream.isEmpty() || stream.size() > kMostWholeBytes)
        stream = compressed(withoutLatenciesOfSeconds(result));
    const QByteArray packed = stream.toBase64();
    return packed.size() > kMostPackedBytes ? QByteArray() : packed;
}

Result<SessionResult> unpackResult(QByteArray packed)
{
    packed.removeIf([](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    const auto stream = QByteArray::fromBase64Encoding(packed, QByteArray::AbortOnBase64DecodingErrors);
    if (!stream)
        return Problem{"", "holds text that is no base64", ""};
    const auto plain = inflated(*stream, kMostPlainBytes);
    if (!plain)
        return plain.problem();
    return parseResult(std::string_view(plain.value().constData(), static_cast<std::size_t>(plain.value().size())));
}

} // namespace lapbench
