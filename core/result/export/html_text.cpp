#include "core/result/export/html_text.h"

#include "core/base/shown_text.h"

namespace lapbench {

namespace {

/// Nothing is fetched, nothing is run, nothing is sent: what a name or a server's output brings along stays a text.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#5a636e;--line:#d9dde2;--shade:#f5f6f8;--warn:#8a5300;--warn-paper:#fff6e5;--hatch:#e6e8eb}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e6e9ec;--soft:#9aa4af;--line:#343a41;--shade:#1d2125;--warn:#f0bd6a;--warn-paper:#2b2417;--hatch:#2a2f35}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:break-word;font:16px/1.5 system-ui,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1.5rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.3rem;line-height:1.3;margin:3rem 0 .5rem}
h3{font-size:1rem;margin:1.75rem 0 .5rem}
p{margin:.5rem 0;max-width:48rem}
.sub,figcaption,footer,.soft{color:var(--soft)}
.sub{max-width:none}
.lead{margin:1.5rem 0;padding:0;list-style:none}
.lead li{font-size:1.2rem;line-height:1.4;margin:.4rem 0;max-width:54rem}
ul{padding-left:1.2rem;margin:.75rem 0;max-width:60rem}
li{margin:.25rem 0;overflow-wrap:anywhere}
.doubts{list-style:none;margin:1rem 0;padding:.6rem 1rem;background:var(--warn-paper);border-left:4px solid var(--warn);max-width:60rem}
.doubts li::before{content:"\26A0\FE0E\00A0";color:var(--warn)}
.wide{overflow-x:auto;margin:.75rem 0}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
th{color:var(--soft);font-weight:600;vertical-align:bottom}
tr>:first-child{text-align:left;padding-left:0}
td{white-space:nowrap}
td:first-child{white-space:normal;font-weight:600;min-width:12rem;max-width:24rem;overflow-wrap:anywhere}
.words th,.words td{text-align:left}
.words td{white-space:normal;overflow-wrap:anywhere;max-width:32rem}
.words td:first-child{min-width:10rem}
tr.struck td{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--hatch) 6px 8px)}
figure{margin:1.5rem 0}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:.875rem;margin-top:.4rem}
.dark{display:none}
@media (prefers-color-scheme:dark){.light{display:none}.dark{display:block}}
pre{background:var(--shade);padding:.75rem 1rem;overflow:auto;font:.8125rem/1.45 "DejaVu Sans Mono",ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--soft)}
footer{margin-top:4rem;border-top:1px solid var(--line);padding-top:.75rem;font-size:.875rem}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--shade:#f5f6f8;--warn:#8a5300;--warn-paper:#fff;--hatch:#ddd}
@page{margin:15mm 12mm}
body{font-size:10pt}.lead li{font-size:12pt}h1{font-size:18pt}h2{font-size:13pt;margin-top:1.5rem}main{max-width:none;padding:0}h2,h3{break-after:avoid}figure,tr,.doubts{break-inside:avoid}
.light{display:block}.dark{display:none}.wide{overflow:visible}table{font-size:7.5pt}th,td{padding:.2rem .3rem}td{white-space:normal}td:first-child{min-width:0}}
)css";

std::string htmlRow(const std::vector<std::string>& cells, const char* tag, bool struck = false)
{
    std::string row = struck ? "<tr class=\"struck\">" : "<tr>";
    for (const std::string& cell : cells)
        row += std::string("<") + tag + ">" + escapedHtml(cell) + "</" + tag + ">";
    return row + "</tr>\n";
}

} // namespace

std::string escapedHtml(std::string_view text)
{
    std::string escaped;
    for (const char c : withoutControls(text)) {
        switch (c) {
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '&':
            escaped += "&amp;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string htmlTable(const TextTable& table, const std::set<std::size_t>& struck)
{
    std::string text = std::string("<div class=\"wide\"><table") + (table.allLeft ? " class=\"words\"" : "") +
                       ">\n<thead>" + htmlRow(table.header, "th") + "</thead>\n<tbody>\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        text += htmlRow(table.rows[i], "td", struck.contains(i));
    return text + "</tbody></table></div>\n";
}

std::string htmlList(const std::vector<std::string>& texts, std::string_view style)
{
    if (texts.empty())
        return {};
    std::string list = style.empty() ? "<ul>\n" : "<ul class=\"" + std::string(style) + "\">\n";
    for (const std::string& text : texts)
        list += "<li>" + escapedHtml(text) + "</li>\n";
    return list + "</ul>\n";
}

std::string htmlHead(const std::string& title)
{
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           std::string(kPolicy) +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
           escapedHtml(title) + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n";
}

} // namespace lapbench
