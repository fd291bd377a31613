#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/plan/plan.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lapbench {

/// A stretch of time in which the rate of an open loop goes evenly from one value to another; in requests a second.
struct RateStretch {
    double from = 0, to = 0;
    Nanoseconds length{}; ///< zero in the last one: it does not end
};

/// How the rate goes, stretch after stretch; after the last one its final rate stays.
using RateCourse = std::vector<RateStretch>;

/// The same rate all the time.
RateCourse constantRate(double perSecond);
/// "R1..R2/T", such as "100..5000/30s" or "1k..20k/1m". Problems: another form, a rate below 1, no time.
Result<RateCourse> parseRamp(std::string_view text);
/// "R1,R2,../T", such as "1000,2000,4000/10s": each rate for T.
Result<RateCourse> parseSteps(std::string_view text);

/// What a plan asks for at one of its levels: its ramp, its steps, or the level's rate; empty: closed loop.
Result<RateCourse> courseOf(const Load& load, std::optional<unsigned> rate);

/// The rate where it is the same all the time; nothing where it changes, and for a closed loop.
std::optional<double> onlyRate(const RateCourse& course);

/// The mean over the first `length` of it, which is not zero; nothing for a closed loop.
std::optional<double> meanRate(const RateCourse& course, Nanoseconds length);

/// The whole length; zero where it does not end.
Nanoseconds lengthOf(const RateCourse& course);

} // namespace lapbench
