#include "core/result/import/error_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace lapbench {

namespace {

bool holdsAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool isConnecting(ErrorKind kind)
{
    return kind == ErrorKind::resolve || kind == ErrorKind::connectRefused || kind == ErrorKind::connectTimeout ||
           kind == ErrorKind::tls || kind == ErrorKind::clientLimit;
}

} // namespace

ErrorKind errorKindOf(std::string_view words)
{
    std::string text(words);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    if (holdsAny(text, {"too many open files", "cannot assign requested address", "address not available", "emfile",
                        "no free connections", "address already in use", "bindexception"}))
        return ErrorKind::clientLimit;
    if (holdsAny(text, {"no such host", "enotfound", "eai_again", "name resolution", "dns", "nxdomain", "unknownhost",
                        "not known"}))
        return ErrorKind::resolve;
    if (holdsAny(text, {"refused", "hostconnectexception"}))
        return ErrorKind::connectRefused;
    if (holdsAny(text, {"timeout", "timed out", "deadline exceeded", "etimedout"}))
        return holdsAny(text,
                        {"dial", "connect timeout", "connecttimeout", "connect timed out", "etimedout", "handshake"})
                   ? ErrorKind::connectTimeout
                   : ErrorKind::timeout;
    if (holdsAny(text, {"tls", "certificate", "x509", "ssl"}))
        return ErrorKind::tls;
    if (holdsAny(text, {"reset", "broken pipe", "epipe"}))
        return ErrorKind::reset;
    if (holdsAny(text, {"eof", "closed", "hang up", "incomplete", "nohttpresponse"}))
        return ErrorKind::closedEarly;
    if (holdsAny(text, {"too large", "exceeds"}))
        return ErrorKind::tooLarge;
    constexpr std::size_t kCode = 3;
    if (text.size() >= kCode &&
        std::all_of(text.begin(), text.begin() + kCode, [](char c) { return c >= '0' && c <= '9'; }) &&
        (text.size() == kCode || text[kCode] == ' '))
        return ErrorKind::unexpectedStatus;
    return ErrorKind::malformed;
}

void addError(ImportedRun& run, ErrorKind kind, Phase phase, std::string_view words, std::uint64_t count)
{
    if (count == 0)
        return;
    const auto same = std::find_if(run.errors.begin(), run.errors.end(),
                                   [&](const ErrorCount& error) { return error.kind == kind && error.phase == phase; });
    if (same != run.errors.end()) {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 53; // beyond it is no count
        same->count = std::min(same->count + std::min(count, kMost), kMost);
        return;
    }
    ErrorCount& error = run.errors.emplace_back();
    error.kind = kind;
    error.phase = phase;
    error.count = count;
    error.firstMessage = words;
}

void addError(ImportedRun& run, ErrorKind kind, std::string_view words, std::uint64_t count)
{
    addError(run, kind, isConnecting(kind) ? Phase::connect : Phase::waitHead, words, count);
}

void addError(ImportedRun& run, std::string_view words, std::uint64_t count)
{
    addError(run, errorKindOf(words), words, count);
}

void addStatus(ImportedRun& run, std::uint64_t status, std::uint64_t count)
{
    constexpr std::uint64_t kLeast = 100, kMost = 999;
    if (count == 0 || status < kLeast || status > kMost)
        return;
    run.status[static_cast<int>(status)] += count;
    if (!isGoodStatus(status))
        addError(run, ErrorKind::unexpectedStatus, "status " + std::to_string(status), count);
}

bool isGoodStatus(std::uint64_t status)
{
    return status >= 200 && status < 400;
}

std::uint64_t badStatuses(const ImportedRun& run)
{
    std::uint64_t bad = 0;
    for (const auto& [status, count] : run.status)
        bad += isGoodStatus(static_cast<std::uint64_t>(status)) ? 0 : count;
    return bad;
}

} // namespace lapbench
