#include "ui/charts/result_file.h"

#include "core/base/atomic_file.h"
#include "core/result/import/import_result.h"
#include "core/result/result_json.h"
#include "ui/charts/picture_result.h"

#include <QByteArray>

#include <fstream>
#include <string>

namespace lapbench {

namespace {

constexpr std::streamsize kBeginning = 4096;

/// How a regular file begins; empty for anything else.
QByteArray beginningOf(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    QByteArray bytes(kBeginning, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), kBeginning);
    bytes.truncate(static_cast<qsizetype>(file.gcount()));
    return bytes;
}

bool endsWith(const std::filesystem::path& path, std::string_view ending)
{
    return path.string().ends_with(ending);
}

} // namespace

FileKind fileKind(const std::filesystem::path& path)
{
    if (endsWith(path, ".lapbench.json") || endsWith(path, ".journal"))
        return FileKind::result;
    const QByteArray beginning = beginningOf(path);
    if (isPicture(beginning))
        return FileKind::picture;
    if (beginning.isEmpty() || endsWith(path, ".plan.json"))
        return FileKind::plan;
    // A result holds its plan, after its own name.
    const bool ownResult = beginning.contains("\"lapbench-result\"") || beginning.contains("\"lapbench-journal\"");
    return !ownResult && beginning.contains("\"lapbench-plan\"") ? FileKind::plan : FileKind::result;
}

Result<SessionResult> readResultFile(const std::filesystem::path& path)
{
    return fileKind(path) == FileKind::picture ? resultInPicture(path) : readAnyResult(path);
}

Result<std::string> resultFileText(const std::filesystem::path& path)
{
    if (fileKind(path) == FileKind::result && readResultOrJournal(path))
        return readFile(path);
    const auto result = readResultFile(path);
    if (!result)
        return result.problem();
    return formatResult(result.value());
}

} // namespace lapbench
