#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// How numbers are written in a text: "1,234.5" or "1.234,5".
enum class NumberStyle { point, comma };

/// By the numbers of a text that can only be read one way; `point` where none tells.
NumberStyle numberStyleOf(std::string_view text);

/// A whole token as a number: sign, digits grouped in threes by the other separator, blank, ' or _, fraction, exponent.
/// Nothing for other text, "nan", "-nan%", "inf" and what is not finite.
std::optional<double> parseNumber(std::string_view text, NumberStyle style = NumberStyle::point);
/// As parseNumber, of 0 to 2^53 without a fraction.
std::optional<std::uint64_t> parseWhole(std::string_view text, NumberStyle style = NumberStyle::point);

/// "635.91us", "1.2 ms", "1.00m", "10m0s", "1h2m3.4s", "250ns", "-" is nothing: microseconds. "m" and "min" are
/// minutes. Without a unit nothing.
std::optional<double> parseTimeUs(std::string_view text, NumberStyle style = NumberStyle::point);

/// "17.76GB", "3.36 MiB", "512B", "606.33M": bytes. KiB is always 1024; `kilo` says what K, KB, M and so on mean.
std::optional<double> parseBytes(std::string_view text, double kilo, NumberStyle style = NumberStyle::point);

/// "748.87k", "1.2M": k = 1000.
std::optional<double> parseScaled(std::string_view text, NumberStyle style = NumberStyle::point);

std::string_view trimmed(std::string_view text);
/// Without the ends; the last one where it is not empty.
std::vector<std::string_view> linesOf(std::string_view text);
/// By blanks and tabs, none empty.
std::vector<std::string_view> wordsOf(std::string_view line);
/// What stands behind `label` in a line that begins with it, blanks apart, trimmed; nothing where it does not.
std::optional<std::string_view> afterLabel(std::string_view line, std::string_view label);

} // namespace lapbench
