#include "core/runtimes/catalog.h"

#include "core/runtimes/runtime_program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row.back();
}

bool isExactVersion(std::string_view text)
{
    // Three numbers, and what may follow them (semver.org, 9 and 10).
    for (int part = 0; part < 3; ++part) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        if (digits == 0)
            return false;
        text.remove_prefix(digits);
        if (part == 2)
            break;
        if (text.empty() || text[0] != '.')
            return false;
        text.remove_prefix(1);
    }
    if (text.empty())
        return true;
    return (text[0] == '-' || text[0] == '+') && text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
           });
}

std::optional<fs::path> onPath(std::string_view program)
{
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, colon)) / program;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        std::error_code error;
        if (candidate.is_absolute() && fs::is_regular_file(candidate, error) && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return std::nullopt;
}

} // namespace

Result<RuntimeName> parseRuntimeName(std::string_view text)
{
    const std::size_t at = text.find('@');
    const std::string kind(text.substr(0, at));
    if (std::find(kRuntimeKinds.begin(), kRuntimeKinds.end(), kind) == kRuntimeKinds.end()) {
        const auto nearest = std::min_element(kRuntimeKinds.begin(), kRuntimeKinds.end(),
                                              [&](auto a, auto b) { return distance(kind, a) < distance(kind, b); });
        const bool close = distance(kind, *nearest) <= 2;
        return Problem{std::string(text), "\"" + kind + "\" is no known runtime",
                       close ? "did you mean " + std::string(*nearest) + "?" : "write node, deno or bun"};
    }
    if (at == std::string_view::npos || !isExactVersion(text.substr(at + 1)))
        return Problem{std::string(text), "there is no exact version in it",
                       "write it like " + kind +
                           (kind == "node"   ? "@22.9.0"
                            : kind == "deno" ? "@2.0.2"
                                             : "@1.1.30")};
    return RuntimeName{kind, std::string(text.substr(at + 1))};
}

std::vector<Runtime> findOnPath()
{
    std::vector<Runtime> found;
    for (const std::string_view kind : kRuntimeKinds) {
        const auto program = onPath(kind);
        if (!program)
            continue;
        if (const auto version = versionOf(*program))
            found.push_back({std::string(kind), version.value(), *program, false, 0});
    }
    return found;
}

} // namespace lapbench
