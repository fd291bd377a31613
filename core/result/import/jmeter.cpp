#include "core/result/import/formats.h"
#include "core/result/import/jmeter_csv.h"
#include "core/result/import/jmeter_run.h"
#include "core/result/import/measure_text.h"

#include <algorithm>
#include <pugixml.hpp>

namespace lapbench {

namespace {

constexpr std::string_view kRoot = "<testResults";
/// How much of a text is looked through for the root.
constexpr std::size_t kLookedThrough = std::size_t{64} << 10;
/// How deep samples may stand in samples.
constexpr int kDeepest = 64;

std::size_t rootIn(std::string_view text)
{
    return text.substr(0, kLookedThrough).find(kRoot);
}

bool isJmeterXml(std::string_view text)
{
    return rootIn(text) != std::string_view::npos;
}

std::size_t linesIn(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::optional<JmeterSample> sampleOf(const pugi::xml_node& node)
{
    const auto took = parseNumber(node.attribute("t").value());
    const std::string_view told = node.attribute("s").value();
    if (!took || *took < 0 || (told != "true" && told != "false"))
        return std::nullopt;
    JmeterSample sample;
    sample.time = node.attribute("ts").value();
    sample.elapsedMs = *took;
    sample.success = told == "true";
    sample.label = node.attribute("lb").value();
    sample.responseCode = node.attribute("rc").value();
    sample.responseMessage = node.attribute("rm").value();
    sample.url = node.child("java.net.URL").child_value();
    sample.failureMessage = node.child("assertionResult").child("failureMessage").child_value();
    sample.bytes = parseWhole(node.attribute("by").value());
    sample.sentBytes = parseWhole(node.attribute("sby").value());
    sample.allThreads = parseWhole(node.attribute("na").value());
    return sample;
}

bool isSample(const pugi::xml_node& node)
{
    return !node.attribute("t").empty();
}

/// A sample with parts, such as a page with its pictures, took as long as all of it: the parts are not counted beside
/// it. Of a transaction it is the other way about: the samples within it are the requests.
void addSamples(const pugi::xml_node& parent, JmeterRun& run, int depth)
{
    for (const pugi::xml_node& node : parent.children()) {
        const auto sample = sampleOf(node);
        const bool hasParts = std::any_of(node.begin(), node.end(), isSample);
        if (sample && sample->isTransaction() && hasParts && depth < kDeepest)
            addSamples(node, run, depth + 1);
        else if (sample)
            run.add(*sample);
    }
}

/// One `testResults`, which begins in `line`, into `runs`; else why it gives none.
std::optional<Problem> readResults(std::string_view text, std::size_t line, ImportedRuns& runs)
{
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(text.data(), text.size(), pugi::parse_default & ~pugi::parse_eol, pugi::encoding_utf8);
    const auto end = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    const std::string where = "line " + std::to_string(line + linesIn(text.substr(0, end)));
    JmeterRun run;
    addSamples(document.child("testResults"), run, 0);
    const bool isWhole = text.find("</testResults>") != std::string_view::npos;
    if (run.count() == 0 && isWhole && parsed)
        return Problem{"line " + std::to_string(line), "begins results of JMeter without a sample",
                       "run the test first"};
    if (run.count() == 0)
        return Problem{where, "results of JMeter are cut off or broken before the first sample",
                       "save the JTL file after the run has ended"};
    runs.push_back(run.finish());
    if (!isWhole)
        runs.back().doubts.emplace_back("The file ends before </testResults>: JMeter was ended while it wrote, or the "
                                        "file was cut off, and samples may be missing.");
    else if (!parsed)
        runs.back().doubts.push_back("The XML is broken in " + where + " (" + parsed.description() +
                                     "): samples behind that are missing.");
    return std::nullopt;
}

Result<ImportedRuns> readJmeterXml(std::string_view text)
{
    ImportedRuns runs;
    std::optional<Problem> first;
    std::size_t line = 1, roots = 0;
    std::size_t next = rootIn(text);
    for (std::size_t at = 0; next != std::string_view::npos;) {
        line += linesIn(text.substr(at, next - at));
        at = next;
        next = text.find(kRoot, at + kRoot.size());
        if (++roots > kMostRuns)
            return tooManyRuns(line);
        const auto problem = readResults(text.substr(at, next == text.npos ? next : next - at), line, runs);
        if (!first)
            first = problem;
    }
    if (runs.empty() && first)
        return *first;
    return runs;
}

} // namespace

void addJmeter(Formats& formats)
{
    formats.text.push_back({"jmeter", "JTL (XML)", isJmeterXml, readJmeterXml});
    formats.text.push_back({"jmeter", "JTL (CSV)", isJmeterCsv, readJmeterCsv});
}

} // namespace lapbench
