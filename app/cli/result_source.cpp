#include "app/cli/result_source.h"

#include "core/base/atomic_file.h"
#include "core/result/import/import_result.h"
#include "core/result/result_json.h"

namespace lapbench {

Result<ResultSource> readSource(const std::filesystem::path& file)
{
    auto read = readResultOrJournal(file);
    const bool own = read.ok() && read.value().complete, foreign = !read.ok();
    if (foreign)
        read = readAnyResult(file);
    if (!read)
        return read.problem();
    ResultSource source{file, std::move(read).value(), own, foreign};
    if (source.result.cells.empty())
        source.result.cells = makeCells(source.result.trials, targetsOf(source.result.planJson));
    return source;
}

Result<std::string> ResultSource::text() const
{
    return own ? readFile(file) : Result<std::string>(formatResult(result));
}

} // namespace lapbench
