#include "ui/charts/picture_result.h"

#include "core/base/atomic_file.h"
#include "ui/charts/packed_result.h"
#include "ui/charts/png_texts.h"

#include <QXmlStreamReader>

#include <algorithm>

namespace lapbench {

namespace {

constexpr std::uint64_t kMostFileBytes = 64 << 20;
constexpr qsizetype kBeginning = 4096; // declarations and comments before the root are shorter
constexpr QByteArrayView kByteOrderMark("\xef\xbb\xbf");

QByteArrayView withoutBlanks(QByteArrayView text)
{
    if (text.startsWith(kByteOrderMark))
        text = text.sliced(kByteOrderMark.size());
    const auto first =
        std::find_if(text.begin(), text.end(), [](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
    return text.sliced(first - text.begin());
}

/// Whether bytes begin as an SVG does; a report in HTML or XML does not.
bool isSvg(QByteArrayView bytes)
{
    const QByteArrayView text = withoutBlanks(bytes);
    const QByteArray beginning = text.first(std::min(text.size(), kBeginning)).toByteArray();
    return beginning.startsWith('<') && beginning.contains("<svg") && !beginning.toLower().contains("<html");
}

/// Qt compares each attribute of an element with all others. What was drawn has a dozen of them; hundreds of thousands
/// would take minutes.
constexpr int kMostAttributes = 4096;

/// Whether there may be more attributes in one element than that: from each "<" to the next, which stands in no value.
bool hasTooManyAttributes(QByteArrayView svg)
{
    int signs = 0;
    for (const char c : svg) {
        signs = c == '<' ? 0 : signs + (c == '=' ? 1 : 0);
        if (signs > kMostAttributes)
            return true;
    }
    return false;
}

/// The packed text in an SVG; absent where it has none.
Result<std::optional<QByteArray>> packedInSvg(const QByteArray& svg)
{
    if (hasTooManyAttributes(svg))
        return Problem{"", "has an element of more than " + std::to_string(kMostAttributes) + " attributes", ""};
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        if (token == QXmlStreamReader::DTD && !reader.entityDeclarations().isEmpty())
            return Problem{"", "declares entities, which are not followed", ""};
        if (token != QXmlStreamReader::StartElement || reader.name() != QLatin1String(kPictureElement) ||
            reader.namespaceUri() != QLatin1String(kPictureNamespace))
            continue;
        const QString packed = reader.readElementText();
        if (reader.hasError())
            break;
        return std::optional(packed.toLatin1());
    }
    if (reader.hasError())
        return Problem{"",
                       "is no XML that can be read, line " + std::to_string(reader.lineNumber()) + ": " +
                           reader.errorString().toStdString(),
                       ""};
    return std::optional<QByteArray>();
}

} // namespace

bool isPicture(QByteArrayView beginning)
{
    static constexpr QByteArrayView kOthers[] = {"\xff\xd8\xff", "GIF8", "%PDF-"};
    const bool webp =
        beginning.startsWith("RIFF") && beginning.sliced(std::min<qsizetype>(8, beginning.size())).startsWith("WEBP");
    return isPng(beginning) || isSvg(beginning) || webp ||
           std::any_of(std::begin(kOthers), std::end(kOthers),
                       [beginning](QByteArrayView other) { return beginning.startsWith(other); });
}

Result<SessionResult> resultInPicture(const std::filesystem::path& path)
{
    const auto read = readFile(path, kMostFileBytes);
    if (!read)
        return read.problem();
    const auto bytes = QByteArray::fromRawData(read.value().data(), static_cast<qsizetype>(read.value().size()));
    const Problem none{path.string(), "this picture carries no result",
                       "take an SVG or a PNG that Lapbench drew, or open the result's own file"};
    const auto damaged = [&path](const Problem& problem) {
        const std::string where = problem.path.empty() ? "" : problem.path + ": ";
        return Problem{path.string(), "no result can be read from this picture: " + where + problem.message,
                       "take the picture as Lapbench wrote it, or open the result's own file"};
    };
    if (!isPng(bytes) && !isSvg(bytes))
        return none;
    auto packed = isPng(bytes) ? pngText(bytes, kPictureText, kMostPackedBytes) : packedInSvg(bytes);
    if (!packed)
        return damaged(packed.problem());
    if (!packed.value())
        return none;
    auto result = unpackResult(std::move(*std::move(packed).value()));
    if (!result)
        return damaged(result.problem());
    return result;
}

} // namespace lapbench
