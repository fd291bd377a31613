#pragma once

namespace lapbench {

/// Probability that a Student t variable with `degrees` of freedom is at most `t`: Abramowitz & Stegun, Handbook of
/// Mathematical Functions, 26.7.1 with the incomplete beta function of 26.5.8. degrees > 0.
double studentTCdf(double t, double degrees);

/// The inverse for 0 < p < 1, to about 12 digits.
double studentTQuantile(double p, double degrees);

} // namespace lapbench
