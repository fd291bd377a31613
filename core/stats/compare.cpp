#include "core/stats/compare.h"

#include "core/stats/student_t.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lapbench {

namespace {

constexpr double kError = 0.05;
constexpr std::size_t kMostFlipped = 20;
constexpr std::array<std::string_view, 4> kNames = {"faster", "slower", "equivalent", "cannot_tell"};

double mean(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Half the width of the t interval of the mean.
double halfWidth(std::span<const double> values, double level)
{
    const auto n = static_cast<double>(values.size());
    const double middle = mean(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - middle) * (value - middle);
    return studentTQuantile((1 + level) / 2, n - 1) * std::sqrt(squares / (n - 1) / n);
}

} // namespace

std::string_view verdictName(Verdict verdict)
{
    return kNames[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> parseVerdict(std::string_view name)
{
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    return found == kNames.end() ? std::nullopt : std::optional(static_cast<Verdict>(found - kNames.begin()));
}

double levelOf(const CompareRules& rules)
{
    return 1 - kError / static_cast<double>(std::max<std::size_t>(1, rules.comparisons));
}

Verdict verdictOf(double low, double high, const CompareRules& rules)
{
    const double least = 1 - rules.zone, most = 1 + rules.zone;
    if (low > most)
        return rules.moreIsBetter ? Verdict::faster : Verdict::slower;
    if (high < least)
        return rules.moreIsBetter ? Verdict::slower : Verdict::faster;
    return low >= least && high <= most ? Verdict::equivalent : Verdict::cannotTell;
}

std::optional<PairedRatio> compareRounds(std::span<const double> a, std::span<const double> b,
                                         const CompareRules& rules)
{
    if (a.empty() || a.size() != b.size())
        return std::nullopt;
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] > 0 && b[i] > 0))
            return std::nullopt;
        differences.push_back(std::log(b[i] / a[i]));
    }
    PairedRatio found;
    found.rounds = a.size();
    found.thin = found.rounds < PairedRatio::kFewestRounds;
    found.signFlipP = signFlipP(differences);
    const double middle = mean(differences);
    found.ratio = std::exp(middle);
    if (found.rounds < 2)
        return found;
    const double half = halfWidth(differences, levelOf(rules));
    found.low = std::exp(middle - half);
    found.high = std::exp(middle + half);
    found.verdict = verdictOf(*found.low, *found.high, rules);
    return found;
}

std::optional<double> signFlipP(std::span<const double> differences)
{
    if (differences.empty() || differences.size() > kMostFlipped)
        return std::nullopt;
    const double observed = std::abs(std::accumulate(differences.begin(), differences.end(), 0.0));
    // Sums of the same values in another order differ in their last digits.
    const double close = observed * (1 - 1e-9);
    const std::uint32_t ways = std::uint32_t{1} << differences.size();
    std::uint32_t asFar = 0;
    for (std::uint32_t signs = 0; signs < ways; ++signs) {
        double sum = 0;
        for (std::size_t i = 0; i < differences.size(); ++i)
            sum += (signs >> i & 1) != 0 ? -differences[i] : differences[i];
        asFar += std::abs(sum) >= close ? 1 : 0;
    }
    return static_cast<double>(asFar) / ways;
}

} // namespace lapbench
