#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapbench {

/// One chart of a result as the desktop app drew it.
struct ChartPicture {
    std::string name;               ///< of its file, without folder and ending: "rps"
    std::string title, description; ///< from the picture: what it shows, for those who do not see it
    std::string svg;
    std::string png; ///< the same for where SVG is not taken; empty where it was not asked for
    std::string csv; ///< its figures; empty where there are none
};

/// The charts of a result, in reading order.
struct Charts {
    std::vector<ChartPicture> light, dark;
    std::string missing; ///< why there are none: a sentence without a full stop; empty where there are
};

/// With the title and the description that the SVG holds; its name where it has no title.
ChartPicture makeChartPicture(std::string name, std::string svg);

/// An SVG to stand within an HTML page: its root element without prolog and metadata, all ids and what refers to them
/// with `prefix` before them. Nothing where the text is no SVG, or holds a script or foreign content.
std::optional<std::string> inlineSvg(std::string_view svg, std::string_view prefix);

} // namespace lapbench
