#pragma once

#include "core/result/export/chart_picture.h"
#include "core/result/export/export_files.h"
#include "core/result/session_result.h"

#include <optional>
#include <string>
#include <vector>

namespace lapbench {

/// What an article is made of beside the record itself.
struct ArticleSources {
    std::string name;      ///< how its files begin: a safeFileName()
    std::string rawResult; ///< the file of the result, byte for byte
    Charts charts;
    std::optional<ExportFile> output; ///< of another tool, from which the result was imported, byte for byte
};

/// A result as a folder that goes into an article: index.md with the verdict sentences, the tables, the method and what
/// the figures do not show; the charts it links; the raw result, the plan, all figures as CSV; SHA256SUMS of all these.
/// Files in the order in which they stand in the text.
std::vector<ExportFile> articleFiles(const SessionResult& result, const ArticleSources& sources);

/// Of that index.md alone.
std::string articleText(const SessionResult& result, const ArticleSources& sources);

} // namespace lapbench
