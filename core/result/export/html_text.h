#pragma once

#include "core/result/export/text_table.h"

#include <set>
#include <string>
#include <string_view>

namespace lapbench {

/// A text as HTML shows it, in an element or a quoted attribute: no markup, no controls, one line.
std::string escapedHtml(std::string_view text);

/// A table that scrolls by itself where it is wider than the page. Rows of `struck` are marked as not ranked.
std::string htmlTable(const TextTable& table, const std::set<std::size_t>& struck = {});

/// "<ul class=..>" with an item a text; empty where there is none.
std::string htmlList(const std::vector<std::string>& texts, std::string_view style = "");

/// Everything of a page's head: no network, no script, light and dark, print.
std::string htmlHead(const std::string& title);

} // namespace lapbench
