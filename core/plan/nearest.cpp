#include "core/plan/nearest.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lapbench {

namespace {

/// Longer words are never a slip of a known one, and the table stays small whatever a file holds.
constexpr std::size_t kLongestWord = 64;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b)
{
    if (a.size() > kLongestWord || b.size() > kLongestWord)
        return std::max(a.size(), b.size());
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j)
        d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known)
{
    std::string_view best;
    std::size_t bestDistance = std::numeric_limits<std::size_t>::max();
    for (const std::string_view candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance && distance * 2 <= std::max(word.size(), candidate.size())) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::string suggest(std::string_view word, std::span<const std::string_view> known)
{
    if (const std::string_view best = nearest(word, known); !best.empty())
        return "did you mean \"" + std::string(best) + "\"?";
    std::string all;
    for (const std::string_view candidate : known)
        all += (all.empty() ? "" : ", ") + std::string(candidate);
    return all.empty() ? "there is none" : "known here: " + all;
}

} // namespace lapbench
