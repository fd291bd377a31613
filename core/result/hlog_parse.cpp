#include "core/result/hlog.h"
#include "core/stats/foreign_histogram.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace lapbench {

namespace {

constexpr std::string_view kTag = "Tag=";
/// A log with more counters than this is no log of latencies; each histogram is bounded by itself.
constexpr std::size_t kMostCounters = std::size_t{16} << 20;
constexpr double kYearSeconds = 365 * 24 * 3600.0;

std::string_view trimmed(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    return text;
}

/// Hands over the lines of a text one by one, without their ends.
class Lines {
public:
    explicit Lines(std::string_view text) : m_rest(text)
    {
        if (m_rest.starts_with("\xEF\xBB\xBF"))
            m_rest.remove_prefix(3);
    }
    std::optional<std::string_view> next()
    {
        if (m_rest.empty())
            return std::nullopt;
        ++m_number;
        const auto end = m_rest.find('\n');
        const std::string_view line = m_rest.substr(0, end);
        m_rest = end == std::string_view::npos ? std::string_view() : m_rest.substr(end + 1);
        return trimmed(line);
    }
    std::size_t number() const { return m_number; }

private:
    std::string_view m_rest;
    std::size_t m_number = 0;
};

std::optional<double> parseNumber(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

/// The fields of a line, which a comma or blanks part.
std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    while (true) {
        const auto end = line.find_first_of(", \t");
        if (const auto field = line.substr(0, end); !field.empty() || end == 0)
            fields.push_back(field);
        if (end == std::string_view::npos)
            return fields;
        line = trimmed(line.substr(end + 1));
    }
}

/// "#[StartTime: 1441753532.570 (seconds since epoch), ..]": the number of such a comment.
std::optional<double> noted(std::string_view line, std::string_view name)
{
    if (!line.starts_with("#[") || !line.substr(2).starts_with(name))
        return std::nullopt;
    const std::string_view rest = trimmed(line.substr(2 + name.size()));
    return parseNumber(rest.substr(0, rest.find_first_of(" ],")));
}

/// Whether a line is meant as an interval, be it a damaged one.
bool meantAsInterval(std::string_view line)
{
    if (line.starts_with(kTag))
        return true;
    const auto comma = line.find(',');
    return comma != std::string_view::npos && parseNumber(line.substr(0, comma)).has_value();
}

/// An interval whose histogram is still in base64.
struct PackedInterval {
    HlogInterval interval;
    std::string_view histogram;
};

Problem at(std::size_t number, std::string message, std::string cure)
{
    return {"line " + std::to_string(number), std::move(message), std::move(cure)};
}

Result<ForeignHistogram> unpacked(const PackedInterval& packed)
{
    auto histogram = decodeForeign(packed.histogram);
    if (!histogram)
        return at(packed.interval.line, histogram.problem().message, histogram.problem().cure);
    return histogram;
}

/// Nanoseconds for one unit. The largest maximum is printed with the most digits.
Result<double> unitNsOf(const std::vector<PackedInterval>& intervals)
{
    const auto largest =
        std::max_element(intervals.begin(), intervals.end(), [](const PackedInterval& a, const PackedInterval& b) {
            return a.interval.printedMax < b.interval.printedMax;
        });
    const auto histogram = unpacked(*largest);
    if (!histogram)
        return histogram.problem();
    if (largest->interval.printedMax <= 0 || histogram.value().buckets.empty())
        return 1.0;
    const auto most = static_cast<double>(histogram.value().buckets.back().highest);
    const double digits = std::log10(most / largest->interval.printedMax);
    return std::abs(digits) < 0.5 ? 1e6 : std::abs(digits - 3) < 0.5 ? 1e3 : 1.0;
}

Result<std::vector<HlogInterval>> unpackedAll(std::vector<PackedInterval> packed)
{
    const auto unitNs = unitNsOf(packed);
    if (!unitNs)
        return unitNs.problem();
    std::size_t counters = 0;
    std::vector<HlogInterval> intervals;
    intervals.reserve(packed.size());
    for (PackedInterval& one : packed) {
        const auto histogram = unpacked(one);
        if (!histogram)
            return histogram.problem();
        counters += histogram.value().buckets.size();
        if (counters > kMostCounters)
            return at(one.interval.line, "is one histogram too many: this log is too large", "read it in parts");
        one.interval.unitNs = unitNs.value();
        one.interval.latency = histogram.value().inNanoseconds(unitNs.value(), one.interval.clamped);
        intervals.push_back(std::move(one.interval));
    }
    return intervals;
}

/// Takes a log line by line.
class HlogReader {
public:
    std::optional<Problem> take(std::string_view line, std::size_t number)
    {
        if (line.starts_with('#')) {
            if (const auto start = noted(line, "StartTime:"))
                m_start = *start;
            else if (const auto base = noted(line, "BaseTime:"))
                m_base = *base;
            return std::nullopt;
        }
        if (line.empty() || line.starts_with('"'))
            return std::nullopt;
        if (!meantAsInterval(line)) {
            if (!m_intervals.empty() && !m_stray)
                m_stray = number;
            return std::nullopt;
        }
        if (m_stray)
            return at(*m_stray, "is no interval of an HdrHistogram log, and stands among such",
                      "take the line out, or write the log again");
        return takeInterval(line, number);
    }
    std::vector<PackedInterval> intervals() { return std::move(m_intervals); }

private:
    std::optional<Problem> takeInterval(std::string_view line, std::size_t number)
    {
        PackedInterval packed;
        std::vector<std::string_view> fields = fieldsOf(line);
        if (line.starts_with(kTag)) {
            packed.interval.tag = fields.front().substr(kTag.size());
            fields.erase(fields.begin());
        }
        if (fields.size() < 4)
            return at(number, "is cut short: an interval has a start, a length, a maximum and a histogram",
                      "write the log again");
        const auto start = parseNumber(fields[0]), length = parseNumber(fields[1]), most = parseNumber(fields[2]);
        if (!start || !length || !most || *length < 0)
            return at(number, "has no start, length and maximum in numbers before its histogram",
                      "write the log again");
        if (!m_base)
            m_base = *start < m_start - kYearSeconds ? m_start : 0;
        packed.interval.line = number;
        packed.interval.startSeconds = *m_base + *start;
        packed.interval.lengthSeconds = *length;
        packed.interval.printedMax = *most;
        packed.histogram = fields[3];
        m_intervals.push_back(std::move(packed));
        return std::nullopt;
    }

    double m_start = 0;
    std::optional<double> m_base;
    std::optional<std::size_t> m_stray; ///< the first line after an interval that is none
    std::vector<PackedInterval> m_intervals;
};

} // namespace

bool looksLikeHlog(std::string_view text)
{
    constexpr std::string_view kStart = ",HIST"; // how every deflated histogram begins in base64
    Lines lines(text);
    while (const auto line = lines.next())
        if (meantAsInterval(*line) && line->find(kStart) != std::string_view::npos)
            return true;
    return false;
}

Result<std::vector<HlogInterval>> parseHlog(std::string_view text)
{
    HlogReader reader;
    Lines lines(text);
    while (const auto line = lines.next())
        if (const auto problem = reader.take(*line, lines.number()))
            return *problem;
    std::vector<PackedInterval> intervals = reader.intervals();
    if (intervals.empty())
        return Problem{"", "there is no interval of an HdrHistogram log in it", "name a .hlog file"};
    return unpackedAll(std::move(intervals));
}

} // namespace lapbench
