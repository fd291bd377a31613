#include "tests/fuzz/answers.h"

#include <algorithm>
#include <iterator>

namespace lapbench::test {

namespace {

/// splitmix64: the same numbers everywhere, which the distributions of the standard library do not promise.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed) {}
    std::size_t below(std::size_t limit)
    {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return limit == 0 ? 0 : static_cast<std::size_t>((z ^ (z >> 31)) % limit);
    }

private:
    std::uint64_t m_state;
};

constexpr const char* kWords[] = {"0",
                                  "1",
                                  "5",
                                  "a",
                                  "FFFFFFFFFFFFFFFF",
                                  "10000000000000000",
                                  "+5",
                                  "-1",
                                  "5, 5",
                                  "0x5",
                                  "18446744073709551616",
                                  "9223372036854775807",
                                  " ",
                                  "\t",
                                  "\r",
                                  "\n",
                                  "\r\n",
                                  "\r\n\r\n",
                                  ";",
                                  ",",
                                  ":",
                                  "\"",
                                  "chunked",
                                  "Transfer-Encoding: chunked\r\n",
                                  "gzip",
                                  "HEAD",
                                  "Connection:",
                                  "close",
                                  "keep-alive",
                                  "Content-Length: 5\r\n",
                                  "204",
                                  "304",
                                  "100",
                                  "103",
                                  "HTTP/1.0",
                                  "HTTP/1.1 200 OK\r\n",
                                  "101",
                                  "\x7f",
                                  "\xff",
                                  "Trailer",
                                  "X: y\r\n",
                                  "0\r\n\r\n"};

std::size_t lineStart(const std::string& bytes, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
}

std::size_t lineEnd(const std::string& bytes, std::size_t at)
{
    const std::size_t end = bytes.find('\n', at);
    return end == std::string::npos ? bytes.size() : end + 1;
}

void changeNumber(std::string& bytes, Dice& dice)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(dice.below(bytes.size()));
    auto digit = std::find_if(from, bytes.end(), isDigit);
    if (digit == bytes.end())
        return;
    if (dice.below(4) == 0)
        bytes.insert(digit, static_cast<char>('0' + dice.below(10)));
    else
        *digit = static_cast<char>('0' + dice.below(10));
}

void swapLineEnd(std::string& bytes, Dice& dice)
{
    const std::size_t at = bytes.find("\r\n", dice.below(bytes.size()));
    if (at == std::string::npos)
        return;
    constexpr const char* kEnds[] = {"\n", "\r", "\n\r", "\r\r\n", " \r\n", "\r\n ", "\r\n\r\n", ""};
    bytes.replace(at, 2, kEnds[dice.below(std::size(kEnds))]);
}

void changeOnce(std::string& bytes, const std::string& other, Dice& dice)
{
    const std::size_t at = dice.below(bytes.size());
    const std::size_t some = 1 + dice.below(8);
    switch (dice.below(12)) {
    case 0:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << dice.below(8)));
        return;
    case 1:
        bytes[at] = static_cast<char>(dice.below(256));
        return;
    case 2:
        bytes.erase(at, some);
        return;
    case 3:
        bytes.resize(at);
        return;
    case 4:
        bytes.insert(at, bytes, dice.below(bytes.size()), some);
        return;
    case 5: {
        const std::size_t start = lineStart(bytes, at);
        bytes.insert(start, bytes.substr(start, lineEnd(bytes, at) - start));
        return;
    }
    case 6: {
        const std::size_t start = lineStart(bytes, at);
        bytes.erase(start, lineEnd(bytes, at) - start);
        return;
    }
    case 7:
        return changeNumber(bytes, dice);
    case 8:
        return swapLineEnd(bytes, dice);
    case 9:
        bytes.insert(at, kWords[dice.below(std::size(kWords))]);
        return;
    case 10: {
        const std::size_t start = lineStart(other, dice.below(other.size()));
        bytes.insert(lineStart(bytes, at), other.substr(start, lineEnd(other, start) - start));
        return;
    }
    default:
        bytes = bytes.substr(0, at) + other.substr(dice.below(other.size()));
        return;
    }
}

} // namespace

std::string mutated(const std::string& bytes, const std::string& other, std::uint64_t seed)
{
    Dice dice(seed);
    std::string changed = bytes;
    for (std::size_t left = 1 + dice.below(3); left != 0 && !changed.empty(); --left)
        changeOnce(changed, other, dice);
    return changed;
}

} // namespace lapbench::test
