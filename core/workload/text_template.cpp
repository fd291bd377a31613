#include "core/workload/text_template.h"

#include "core/workload/percent_encoding.h"
#include "core/workload/seeded.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace lapbench {

namespace {

constexpr std::size_t kDigits = 20; // of a 64-bit number, with its sign
constexpr std::size_t kUuidLength = 36;
constexpr std::size_t kIsoLength = 24;

template <typename Number>
char* writeNumber(Number value, char* to)
{
    return std::to_chars(to, to + kDigits, value).ptr;
}

char* writeText(std::string_view text, char* to)
{
    return std::copy(text.begin(), text.end(), to);
}

/// `value` in decimal digits, zeroes before it, into the `width` characters at `to`; the place behind them.
char* writeDigits(unsigned value, int width, char* to)
{
    for (int i = width - 1; i >= 0; --i, value /= 10)
        to[i] = static_cast<char>('0' + value % 10);
    return to + width;
}

/// As formatUtc() does it, which allocates.
char* writeIso(UtcTime time, char* to)
{
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<milliseconds>(time - day));
    to = writeDigits(static_cast<unsigned>(static_cast<int>(date.year())), 4, to);
    *to++ = '-';
    to = writeDigits(static_cast<unsigned>(date.month()), 2, to);
    *to++ = '-';
    to = writeDigits(static_cast<unsigned>(date.day()), 2, to);
    *to++ = 'T';
    to = writeDigits(static_cast<unsigned>(clock.hours().count()), 2, to);
    *to++ = ':';
    to = writeDigits(static_cast<unsigned>(clock.minutes().count()), 2, to);
    *to++ = ':';
    to = writeDigits(static_cast<unsigned>(clock.seconds().count()), 2, to);
    *to++ = '.';
    to = writeDigits(static_cast<unsigned>(clock.subseconds().count()), 3, to);
    *to++ = 'Z';
    return to;
}

/// The same for the lowest hexadecimal digits.
char* writeHex(std::uint64_t value, int width, char* to)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    for (int i = width - 1; i >= 0; --i, value >>= 4)
        to[i] = kHex[value & 15];
    return to + width;
}

char* writeUuid(std::uint64_t seed, char* to)
{
    const std::uint64_t high = (splitMix64(seed, 0) & ~0xf000ull) | 0x4000;
    const std::uint64_t low = (splitMix64(seed, 1) & ~(3ull << 62)) | (1ull << 63);
    to = writeHex(high >> 32, 8, to);
    *to++ = '-';
    to = writeHex(high >> 16, 4, to);
    *to++ = '-';
    to = writeHex(high, 4, to);
    *to++ = '-';
    to = writeHex(low >> 48, 4, to);
    *to++ = '-';
    return writeHex(low, 12, to);
}

} // namespace

struct TextTemplate::Renderer {
    const RequestPoint& point;
    char* to;

    std::uint64_t seedAt(unsigned place) const { return splitMix64(point.seed, place); }

    char* operator()(const std::string& plain) const { return writeText(plain, to); }
    char* operator()(const RandomInt& number) const
    {
        return writeNumber(static_cast<std::int64_t>(number.low + drawBelow(seedAt(number.place), number.span)), to);
    }
    char* operator()(const Choice& choice) const
    {
        return writeText(choice.words[drawBelow(seedAt(choice.place), choice.words.size())], to);
    }
    char* operator()(const Sequence&) const { return writeNumber(point.occurrence + 1, to); }
    char* operator()(const Uuid& uuid) const { return writeUuid(seedAt(uuid.place), to); }
    char* operator()(const NowIso&) const { return writeIso(point.now, to); }
    char* operator()(const NowMs&) const
    {
        using namespace std::chrono;
        return writeNumber(std::int64_t{floor<milliseconds>(point.now.time_since_epoch()).count()}, to);
    }
    char* operator()(const FeedColumn& source) const
    {
        const std::string_view value = source.feed->value(point.occurrence % source.feed->rows(), source.column);
        return source.percentEncoded ? writePercentEncoded(value, to) : writeText(value, to);
    }
    char* operator()(const BodyLength&) const { return writeNumber(point.bodyLength, to); }
};

char* TextTemplate::render(const RequestPoint& point, char* to) const
{
    for (const Piece& piece : m_pieces)
        to = std::visit(Renderer{point, to}, piece);
    return to;
}

bool TextTemplate::isConstant() const
{
    return std::all_of(m_pieces.begin(), m_pieces.end(),
                       [](const Piece& piece) { return std::holds_alternative<std::string>(piece); });
}

bool TextTemplate::readsClock() const
{
    return std::any_of(m_pieces.begin(), m_pieces.end(), [](const Piece& piece) {
        return std::holds_alternative<NowIso>(piece) || std::holds_alternative<NowMs>(piece);
    });
}

bool TextTemplate::alwaysBeginsWith(char c) const
{
    if (m_pieces.empty())
        return false;
    if (const auto* plain = std::get_if<std::string>(&m_pieces.front()))
        return plain->front() == c;
    if (const auto* choice = std::get_if<Choice>(&m_pieces.front()))
        return std::all_of(choice->words.begin(), choice->words.end(),
                           [&](const std::string& word) { return word.starts_with(c); });
    if (const auto* source = std::get_if<FeedColumn>(&m_pieces.front())) {
        for (std::size_t row = 0; row < source->feed->rows(); ++row)
            if (!source->feed->value(row, source->column).starts_with(c))
                return false;
        return true;
    }
    return false;
}

std::size_t TextTemplate::longest() const
{
    struct Longest {
        std::size_t operator()(const std::string& plain) const { return plain.size(); }
        std::size_t operator()(const Choice& choice) const
        {
            std::size_t most = 0;
            for (const std::string& word : choice.words)
                most = std::max(most, word.size());
            return most;
        }
        std::size_t operator()(const Uuid&) const { return kUuidLength; }
        std::size_t operator()(const NowIso&) const { return kIsoLength; }
        std::size_t operator()(const FeedColumn& source) const
        {
            std::size_t most = 0;
            for (std::size_t row = 0; row < source.feed->rows(); ++row)
                most = std::max(most, source.feed->value(row, source.column).size());
            return source.percentEncoded ? most * kPercentEncodedBytes : most;
        }
        std::size_t operator()(const RandomInt&) const { return kDigits; }
        std::size_t operator()(const Sequence&) const { return kDigits; }
        std::size_t operator()(const NowMs&) const { return kDigits; }
        std::size_t operator()(const BodyLength&) const { return kDigits; }
    };
    std::size_t sum = 0;
    for (const Piece& piece : m_pieces)
        sum += std::visit(Longest{}, piece);
    return sum;
}

void TextTemplate::append(std::string_view plain)
{
    if (plain.empty())
        return;
    if (m_pieces.empty() || !std::holds_alternative<std::string>(m_pieces.back()))
        m_pieces.emplace_back(std::string());
    std::get<std::string>(m_pieces.back()) += plain;
}

void TextTemplate::append(const TextTemplate& other)
{
    for (const Piece& piece : other.m_pieces) {
        if (const auto* plain = std::get_if<std::string>(&piece))
            append(*plain);
        else
            m_pieces.push_back(piece);
    }
}

void TextTemplate::appendBodyLength()
{
    m_pieces.emplace_back(BodyLength{});
}

} // namespace lapbench
