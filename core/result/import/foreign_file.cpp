#include "core/result/import/foreign_file.h"

#include "core/base/units.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

namespace lapbench {

namespace {

namespace fs = std::filesystem;

/// The longest JSON value that is read, in bytes, and how much of a text is looked through for the ends of values.
constexpr std::size_t kLongestValue = std::size_t{32} << 20;
constexpr std::size_t kMostLookedThrough = std::size_t{256} << 20;

Problem refusal(const std::string& name, const std::string& message, const std::string& cure)
{
    return {name, message, cure};
}

const char* const kNameAFile = "name a file that a load tool has written";

/// UTF-16 with a byte order mark, as shells of Windows write it, as UTF-8. Surrogates are put together.
std::string fromUtf16(std::string_view bytes, bool bigEndian)
{
    const auto unitAt = [&](std::size_t i) {
        const auto first = static_cast<unsigned char>(bytes[i]), second = static_cast<unsigned char>(bytes[i + 1]);
        return static_cast<char32_t>(bigEndian ? first << 8 | second : second << 8 | first);
    };
    std::string text;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t code = unitAt(i);
        if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size()) {
            code = 0x10000 + ((code - 0xd800) << 10) + (unitAt(i + 2) - 0xdc00);
            i += 2;
        }
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | code >> 6);
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            text += static_cast<char>(0xe0 | code >> 12);
            text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            text += static_cast<char>(0xf0 | (code >> 18 & 0x07));
            text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
            text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        }
    }
    return text;
}

std::string decoded(std::string bytes)
{
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
        return fromUtf16(std::string_view(bytes).substr(2), bytes.front() == '\xfe');
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.erase(0, 3);
    return bytes;
}

/// Length of the terminal escape at the start of `text`: ESC [ .. letter, or ESC and one more.
std::size_t escapeLength(std::string_view text)
{
    if (text.size() < 2 || text[1] != '[')
        return std::min<std::size_t>(text.size(), 2);
    std::size_t end = 2;
    while (end < text.size() && text[end] < '@')
        ++end;
    return std::min(end + 1, text.size());
}

/// Line ends as \n; a carriage return alone, as progress bars use it, is one too. Without terminal escapes.
std::string withPlainLines(const std::string& text)
{
    if (text.find_first_of("\r\x1b") == std::string::npos)
        return text;
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b')
            i += escapeLength(std::string_view(text).substr(i)) - 1;
        else if (text[i] != '\r')
            plain += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            plain += '\n';
    }
    return plain;
}

/// JSON as some tools write it, though it is none: escapes of Go (\x1f, \a, \v), NaN and Infinity.
std::string withMendedEscapes(std::string_view text)
{
    std::string mended;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString && c == '\\' && i + 1 < text.size()) {
            const char next = text[++i];
            if (next == 'x')
                mended += "\\u00";
            else if (next == 'a' || next == 'v')
                mended += next == 'a' ? "\\u0007" : "\\u000b";
            else if (next == '\'')
                mended += next;
            else
                (mended += c) += next;
            continue;
        }
        if (c == '"')
            inString = !inString;
        bool isNumber = true;
        for (const std::string_view none : {"NaN", "-Infinity", "Infinity", "+Inf", "-Inf", "Inf"})
            if (!inString && text.substr(i).starts_with(none)) {
                mended += "null";
                i += none.size() - 1;
                isNumber = false;
                break;
            }
        if (isNumber)
            mended += c;
    }
    return mended;
}

/// Where the JSON value that begins `text` ends, by its brackets and strings alone; npos where it does not.
std::size_t valueEnd(std::string_view text)
{
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

/// Nothing where it is no JSON; then `problem` says where.
std::optional<Json> parseValue(std::string_view text, std::string& problem)
{
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        problem = error.what();
    }
    if (text.find("\\x") == text.npos && text.find("\\a") == text.npos && text.find("\\v") == text.npos &&
        text.find("\\'") == text.npos && text.find("NaN") == text.npos && text.find("Inf") == text.npos)
        return std::nullopt;
    Json mended = Json::parse(withMendedEscapes(text), nullptr, false);
    return mended.is_discarded() ? std::nullopt : std::optional(std::move(mended));
}

std::size_t lineEndsIn(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// From `at` on, the next place where a JSON value may begin: a bracket as the first character of a line.
std::size_t nextBracket(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        std::size_t first = std::min(text.find_first_not_of(" \t\n", at), text.size());
        if (first < text.size() && (text[first] == '{' || text[first] == '['))
            return first;
        at = text.find('\n', first);
        if (at == std::string_view::npos)
            break;
    }
    return std::string_view::npos;
}

/// The value that begins at `at`; nothing where there is none, and then `problem` says why.
std::optional<Json> valueAt(std::string_view text, std::size_t at, std::size_t length, std::string& problem)
{
    if (length == std::string_view::npos)
        problem = "it ends before the last bracket is closed";
    else if (length > kLongestValue)
        problem = "it is longer than " + std::to_string(kLongestValue >> 20) + " MiB";
    else
        return parseValue(text.substr(at, length), problem);
    return std::nullopt;
}

void findDocuments(ForeignFile& file)
{
    const std::string_view text = file.text;
    std::size_t at = nextBracket(text, 0);
    const bool isJson = at != std::string_view::npos && text.find_first_not_of(" \t\n") == at;
    std::size_t lookedThrough = 0, line = 1, counted = 0;
    while (at != std::string_view::npos && lookedThrough < kMostLookedThrough) {
        line += lineEndsIn(text.substr(counted, at - counted));
        counted = at;
        const std::size_t length = valueEnd(text.substr(at));
        lookedThrough += std::min(length, text.size() - at);
        std::string where;
        if (std::optional<Json> value = valueAt(text, at, length, where)) {
            file.documents.push_back({std::move(*value), line});
            at = nextBracket(text, at + length);
            continue;
        }
        if (isJson && file.documents.empty() && !file.jsonProblem)
            file.jsonProblem =
                refusal(file.name, "begins as JSON in line " + std::to_string(line) + ", and is broken: " + where,
                        "save the tool's whole output");
        const std::size_t end = text.find('\n', at);
        at = end == std::string_view::npos ? end : nextBracket(text, end);
    }
}

} // namespace

Result<ForeignFile> foreignFileOf(std::string name, std::string bytes)
{
    ForeignFile file{std::move(name), withPlainLines(decoded(std::move(bytes))), {}, std::nullopt, std::nullopt};
    if (file.text.find_first_not_of(" \t\n") == std::string::npos)
        return refusal(file.name, "is empty", kNameAFile);
    if (file.text.find('\0') != std::string::npos)
        return refusal(file.name, "is no text: it holds bytes of value 0", kNameAFile);
    findDocuments(file);
    return file;
}

Result<ForeignFile> readForeignFile(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        return refusal(path.string(), "does not exist", kNameAFile);
    if (!fs::is_regular_file(status))
        return refusal(path.string(), "is no regular file", kNameAFile);
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > kLargestForeignFile)
        return refusal(path.string(),
                       "holds " + std::to_string(size >> 20) + " MiB, and at most " +
                           std::to_string(kLargestForeignFile >> 20) + " MiB are read",
                       "import a shorter run, or the tool's summary in place of its single requests");
    std::ifstream in(path, std::ios::binary);
    std::string bytes(static_cast<std::size_t>(error ? 0 : size), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!in || error)
        return refusal(path.string(), std::string("cannot be read: ") + std::strerror(errno), "see its permissions");
    auto file = foreignFileOf(path.string(), std::move(bytes));
    if (!file)
        return file;
    ForeignFile read = std::move(file).value();
    if (const auto changed = fs::last_write_time(path, error); !error)
        read.modified = std::chrono::time_point_cast<UtcTime::duration>(std::chrono::file_clock::to_sys(changed));
    return read;
}

} // namespace lapbench
