#include "core/session/fair_wording.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

std::string formatList(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string lowered(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return text;
}

std::string formatNames(std::vector<std::string> names)
{
    constexpr std::size_t kMost = 8;
    if (names.size() > kMost + 1) {
        const std::size_t more = names.size() - kMost;
        names.resize(kMost);
        names.push_back(formatGrouped(more) + " more");
    }
    return formatList(names);
}

std::string formatGrouped(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string formatGroupedBytes(std::uint64_t number)
{
    return formatGrouped(number) + (number == 1 ? " byte" : " bytes");
}

std::string formatShareOf(std::uint64_t size, std::uint64_t reference)
{
    if (reference == 0 || size == reference)
        return {};
    const double share = std::abs(static_cast<double>(size) / static_cast<double>(reference) - 1);
    return " (" + formatSignificant(share * 100, 2) + (size < reference ? " % smaller)" : " % larger)");
}

} // namespace lapbench
