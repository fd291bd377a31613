#pragma once

#include "core/result/import/foreign_file.h"
#include "core/result/import/imported_run.h"

#include <string_view>
#include <vector>

namespace lapbench {

/// One form of a tool's output that is a JSON value. `knows` decides by content, cheaply and without doubt; `read` is
/// only called where it said yes, and gives one run or more or a problem that says what is missing and where.
struct JsonFormat {
    std::string_view tool, form; ///< "k6", "JSON (handleSummary)"
    bool (*knows)(const Json& value) = nullptr;
    Result<ImportedRuns> (*read)(const Json& value) = nullptr;
};

/// One form that is text: a report, with anything around it, or rows. As above; `text` is ForeignFile::text.
struct TextFormat {
    std::string_view tool, form;
    bool (*knows)(std::string_view text) = nullptr;
    Result<ImportedRuns> (*read)(std::string_view text) = nullptr;
};

struct Formats {
    std::vector<JsonFormat> json;
    std::vector<TextFormat> text;
};

/// The most runs that one file may hold: each keeps a histogram.
inline constexpr std::size_t kMostRuns = 1000;
/// That a file holds more than that, from `line` on.
Problem tooManyRuns(std::size_t line);

/// All of them; made once.
const Formats& knownFormats();

// Each tool adds its forms; one file a tool.
void addWrk(Formats& formats);
void addWrk2(Formats& formats);
void addApacheBench(Formats& formats);
void addH2load(Formats& formats);
void addHey(Formats& formats);
void addBombardier(Formats& formats);
void addOha(Formats& formats);
void addVegeta(Formats& formats);
void addFortio(Formats& formats);
void addAutocannon(Formats& formats);
void addK6(Formats& formats);
void addJmeter(Formats& formats);
void addLocust(Formats& formats);
void addHyperfine(Formats& formats);
void addHlog(Formats& formats);

} // namespace lapbench
