#include "core/result/export/chart_picture.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapbench {

namespace {

/// What stands between the first `<name ..>` and its end tag; nothing where there is none.
std::optional<std::string_view> contentOf(std::string_view svg, const std::string& name)
{
    const std::size_t open = svg.find("<" + name);
    if (open == std::string_view::npos)
        return std::nullopt;
    const std::size_t begin = svg.find('>', open), end = svg.find("</" + name, open);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        return std::nullopt;
    return svg.substr(begin + 1, end - begin - 1);
}

/// The five entities that XML itself has.
std::string unescaped(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, char>, 6> kEntities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}, {"&amp;", '&'}}};
    std::string plain;
    while (!text.empty()) {
        const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                         [&](const auto& known) { return text.starts_with(known.first); });
        plain += entity == kEntities.end() ? text.front() : entity->second;
        text.remove_prefix(entity == kEntities.end() ? 1 : entity->first.size());
    }
    return plain;
}

void eraseElement(std::string& svg, const std::string& name)
{
    for (std::size_t open = svg.find("<" + name); open != std::string::npos; open = svg.find("<" + name, open)) {
        const std::string closing = "</" + name + ">";
        const std::size_t tagEnd = svg.find('>', open), end = svg.find(closing, open);
        const bool alone = tagEnd != std::string::npos && svg[tagEnd - 1] == '/';
        if (!alone && end == std::string::npos)
            return;
        svg.erase(open, alone ? tagEnd + 1 - open : end + closing.size() - open);
    }
}

/// Whether `at` lies within a tag: what stands between tags is a text.
bool isInTag(std::string_view svg, std::size_t at)
{
    const std::size_t open = svg.rfind('<', at), close = svg.rfind('>', at);
    return open != std::string_view::npos && (close == std::string_view::npos || close < open);
}

/// Puts `prefix` after each occurrence of `before` that stands within a tag.
void addPrefix(std::string& svg, std::string_view before, std::string_view prefix)
{
    for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at)) {
        const bool inTag = isInTag(svg, at);
        at += before.size();
        if (!inTag)
            continue;
        svg.insert(at, prefix);
        at += prefix.size();
    }
}

bool hasForeignContent(std::string_view svg)
{
    std::string lower(svg);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    for (const std::string_view part : {"<script", "<foreignobject", "<iframe", "<!entity"})
        if (lower.find(part) != std::string::npos)
            return true;
    // A target may well be called "JavaScript: Node.js"; an address may not.
    constexpr std::string_view kScheme = "javascript:";
    for (std::size_t at = lower.find(kScheme); at != std::string::npos; at = lower.find(kScheme, at + 1))
        if (isInTag(lower, at))
            return true;
    return false;
}

} // namespace

ChartPicture makeChartPicture(std::string name, std::string svg)
{
    ChartPicture picture;
    picture.title = unescaped(contentOf(svg, "title").value_or(""));
    picture.description = unescaped(contentOf(svg, "desc").value_or(""));
    if (picture.title.empty())
        picture.title = name;
    picture.name = std::move(name);
    picture.svg = std::move(svg);
    return picture;
}

std::optional<std::string> inlineSvg(std::string_view svg, std::string_view prefix)
{
    constexpr std::string_view kEnd = "</svg>";
    const std::size_t begin = svg.find("<svg"), end = svg.rfind(kEnd);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        return std::nullopt;
    std::string root(svg.substr(begin, end + kEnd.size() - begin));
    eraseElement(root, "metadata");
    if (hasForeignContent(root))
        return std::nullopt;
    for (const std::string_view reference :
         {" id=\"", " id='", "url(#", "href=\"#", "href='#", "aria-labelledby=\"", "aria-describedby=\""})
        addPrefix(root, reference, prefix);
    return root;
}

} // namespace lapbench
