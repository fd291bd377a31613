#include "core/workload/request_compiler.h"

#include "core/base/atomic_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargest = 1ull << 30;

std::string rendered(const TextTemplate& text)
{
    std::string out(text.longest(), '\0');
    out.resize(static_cast<std::size_t>(text.render({}, out.data()) - out.data()));
    return out;
}

} // namespace

RequestCompiler::RequestCompiler(const RequestTemplate& request, const ScriptPlace& place, FeedShelf& feeds,
                                 std::string prefix)
    : m_request(request), m_place(place), m_feeds(feeds), m_prefix(std::move(prefix))
{}

void RequestCompiler::problem(const std::string& key, std::string message, std::string cure)
{
    m_problems.push_back({m_prefix + key, std::move(message), std::move(cure)});
}

TextTemplate RequestCompiler::compileText(const std::string& key, const std::string& text, TextPlace place)
{
    auto compiled = TextTemplate::compile(text, place, m_feeds, m_placeholders);
    if (!compiled) {
        problem(key, compiled.problem().message, compiled.problem().cure);
        return {};
    }
    const std::uint64_t before = m_longest;
    m_longest += compiled.value().longest();
    if (before <= kLargest && m_longest > kLargest)
        problem(key, "its placeholders can make a request larger than 1 GiB", "insert fewer or shorter values");
    return std::move(compiled).value();
}

Problems RequestCompiler::compileTexts()
{
    m_path = compileText("path", m_request.path, TextPlace::path);
    if (m_problems.empty())
        checkStart();
    for (const auto& [name, value] : m_request.headers)
        m_headers.push_back(compileText("headers." + name, value, TextPlace::header));
    m_body = compileText("body", m_request.body, TextPlace::body);
    if (!m_request.bodyFile.empty())
        checkBodyFile();
    return std::exchange(m_problems, {});
}

/// Whether a path begins with a slash is plain to see where it is a text, and said by others then.
void RequestCompiler::checkStart()
{
    if (!m_path.isConstant() && m_place.basePath.empty() && !m_path.alwaysBeginsWith('/'))
        problem("path", "\"" + m_request.path + "\" does not begin with / for all values", "begin it with /");
}

void RequestCompiler::checkBodyFile()
{
    std::error_code error;
    const std::string shown = "the file \"" + bodyFile().string() + "\" ";
    const std::uintmax_t size = fs::file_size(bodyFile(), error);
    if (error || ::access(bodyFile().c_str(), R_OK) != 0)
        problem("body_file", shown + "cannot be read: " + (error ? error.message() : std::strerror(errno)),
                "check the name and its permissions");
    else if (size > kLargest)
        problem("body_file", shown + "is larger than 1 GiB", "name a smaller file");
}

bool RequestCompiler::isConstant() const
{
    return m_path.isConstant() && m_body.isConstant() &&
           std::all_of(m_headers.begin(), m_headers.end(), [](const TextTemplate& text) { return text.isConstant(); });
}

/// One request as it might be: the plain texts in it are the same in all of them, and the values that are inserted can
/// do no harm where they stand.
RequestTemplate RequestCompiler::sample(std::string body) const
{
    RequestTemplate request;
    request.method = m_request.method;
    request.path = rendered(m_path);
    for (std::size_t i = 0; i < m_headers.size(); ++i)
        request.headers.emplace_back(m_request.headers[i].first, rendered(m_headers[i]));
    request.body = std::move(body);
    return request;
}

Result<RequestCompiler::Compiled> RequestCompiler::finish()
{
    std::string body;
    if (!m_request.bodyFile.empty()) {
        if (!m_request.body.empty())
            return Problem{m_prefix + "body_file", "does not go together with body", "give one of them"};
        auto content = readFile(bodyFile(), kLargest);
        if (!content)
            return Problem{m_prefix + "body_file",
                           "the file \"" + bodyFile().string() + "\" " + content.problem().message,
                           content.problem().cure};
        body = std::move(content).value();
    } else {
        // An empty value must not make the header of the length go.
        body = m_body.isConstant() ? rendered(m_body) : "x";
    }
    auto prepared = prepareRequest(sample(std::move(body)), m_place.authority, m_place.basePath);
    if (!prepared)
        return Problem{m_prefix + prepared.problem().path, prepared.problem().message, prepared.problem().cure};
    RequestKind kind{m_request.name, prepared.value().isHead(), isConstant(), std::move(prepared).value(),
                     AnswerCheck(m_request)};
    RequestTexts texts;
    if (!kind.constant) {
        texts = textsFor(kind.prepared);
        kind.prepared.body = {};
        kind.prepared.bytes = {};
    }
    return Compiled{std::move(kind), std::move(texts)};
}

RequestTexts RequestCompiler::textsFor(const PreparedRequest& prepared)
{
    RequestTexts texts;
    texts.bodyVaries = !m_body.isConstant();
    if (texts.bodyVaries)
        texts.body = std::move(m_body);
    else
        texts.body.append(prepared.body);
    texts.target.append(m_place.basePath);
    texts.target.append(m_path);

    const std::size_t ownEnd = prepared.firstOwn + m_headers.size();
    for (std::size_t i = 0; i < prepared.headers.size(); ++i) {
        TextTemplate& value = texts.headers.emplace_back();
        if (i >= prepared.firstOwn && i < ownEnd)
            value = m_headers[i - prepared.firstOwn];
        else if (i >= ownEnd && texts.bodyVaries)
            value.appendBodyLength();
        else
            value.append(prepared.headers[i].second);
    }

    texts.head.append(prepared.method + " ");
    texts.head.append(texts.target);
    texts.head.append(" HTTP/1.1\r\n");
    for (std::size_t i = 0; i < texts.headers.size(); ++i) {
        texts.head.append(prepared.headers[i].first + ": ");
        texts.head.append(texts.headers[i]);
        texts.head.append("\r\n");
    }
    texts.head.append("\r\n");
    texts.readsClock = texts.head.readsClock() || texts.body.readsClock();
    return texts;
}

} // namespace lapbench
