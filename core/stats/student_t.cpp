#include "core/stats/student_t.h"

#include <array>
#include <cmath>

namespace lapbench {

namespace {

/// The continued fraction of the incomplete beta function, evaluated by the modified Lentz method (Thompson & Barnett,
/// Journal of Computational Physics 64 (1986) 490-509).
double betaFraction(double x, double a, double b)
{
    constexpr double kTiny = 1e-300, kClose = 1e-15;
    constexpr int kMost = 10'000;
    double c = 1;
    double d = 1 - (a + b) * x / (a + 1);
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    double value = d;
    for (int m = 1; m <= kMost; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (const double term : std::array{even, odd}) {
            d = 1 + term * d;
            d = 1 / (std::abs(d) < kTiny ? kTiny : d);
            c = 1 + term / c;
            c = std::abs(c) < kTiny ? kTiny : c;
            step = c * d;
            value *= step;
        }
        if (std::abs(step - 1) < kClose)
            break;
    }
    return value;
}

/// The regularised incomplete beta function I_x(a, b).
double incompleteBeta(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast on one side of the mean; the other side is its mirror.
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(x, a, b) / a : 1 - front * betaFraction(1 - x, b, a) / b;
}

} // namespace

double studentTCdf(double t, double degrees)
{
    const double tail = incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
    return t > 0 ? 1 - tail : tail;
}

double studentTQuantile(double p, double degrees)
{
    if (p == 0.5)
        return 0;
    if (p < 0.5)
        return -studentTQuantile(1 - p, degrees);
    double low = 0, high = 1;
    while (studentTCdf(high, degrees) < p)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
        const double middle = (low + high) / 2;
        (studentTCdf(middle, degrees) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace lapbench
