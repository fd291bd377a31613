#include "core/result/export/export_files.h"

#include "core/base/atomic_file.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 80;

Problem folderProblem(const fs::path& folder, const std::string& why)
{
    return {folder.string(), "cannot be written: " + why, "choose another folder with -o or free this one"};
}

bool leadsOut(const std::string& name)
{
    const fs::path path(name);
    return name.empty() || path.is_absolute() || !path.has_filename() ||
           std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

/// What this call has made, taken back where it does not come to its end.
class Undo {
public:
    ~Undo()
    {
        std::error_code ignored;
        if (!m_staging.empty())
            fs::remove_all(m_staging, ignored);
        for (const fs::path& file : m_files)
            fs::remove(file, ignored);
        for (auto folder = m_folders.rbegin(); folder != m_folders.rend(); ++folder)
            fs::remove(*folder, ignored); // only where it is empty
    }

    void staging(fs::path folder) { m_staging = std::move(folder); }
    void newFile(fs::path file) { m_files.push_back(std::move(file)); }
    void newFolder(fs::path folder) { m_folders.push_back(std::move(folder)); }
    void done()
    {
        m_files.clear();
        m_folders.clear();
    }

private:
    fs::path m_staging;
    std::vector<fs::path> m_files, m_folders;
};

/// Makes a folder and those above it, noting each that was not there.
Result<void> makeFolder(const fs::path& folder, Undo& undo)
{
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error))
        return {};
    if (auto above = makeFolder(folder.parent_path(), undo); !above)
        return above;
    if (fs::create_directory(folder, error))
        undo.newFolder(folder);
    else if (!fs::is_directory(folder))
        return folderProblem(folder, error ? error.message() : "it is no folder");
    return {};
}

Result<void> place(const fs::path& from, const fs::path& to, Undo& undo)
{
    std::error_code error;
    const bool there = fs::exists(fs::symlink_status(to, error));
    fs::rename(from, to, error);
    if (error)
        return folderProblem(to, error.message());
    if (!there)
        undo.newFile(to);
    return {};
}

} // namespace

std::string resultName(const fs::path& file)
{
    std::string name = file.filename().string();
    for (const std::string_view ending : {".journal", ".json", ".lapbench"})
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    return name;
}

std::string safeFileName(std::string_view text)
{
    std::string name;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                           ((c == '.' || c == '-') && !name.empty());
        if (plain)
            name += c;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    name.resize(std::min(name.size(), kLongestName));
    name.resize(name.find_last_not_of(".-") + 1);
    return name.empty() ? "result" : name;
}

Result<std::vector<std::string>> filesInTheWay(const fs::path& folder, const std::vector<ExportFile>& files)
{
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        return Problem{folder.string(), "is no folder", "name another one with -o"};
    std::vector<std::string> found;
    for (const ExportFile& file : files) {
        const fs::path path = folder / file.name, above = path.parent_path();
        if (fs::exists(fs::symlink_status(above, ignored)) && !fs::is_directory(above, ignored))
            return Problem{above.string(), "is in the way and no folder", "choose another folder with -o"};
        const fs::file_status status = fs::status(path, ignored);
        if (!fs::exists(fs::symlink_status(path, ignored)))
            continue;
        if (fs::exists(status) && !fs::is_regular_file(status))
            return Problem{path.string(), "is in the way and no file", "choose another folder with -o"};
        found.push_back(file.name);
    }
    return found;
}

Result<void> writeExportFiles(const fs::path& folder, const std::vector<ExportFile>& files, unsigned mode)
{
    for (const ExportFile& file : files)
        if (leadsOut(file.name))
            return Problem{file.name, "leads out of the folder", "give it a plain name"};
    if (folder.empty())
        return folderProblem("-o", "it has no name");
    Undo undo;
    const fs::path whole = fs::absolute(folder).lexically_normal();
    if (auto made = makeFolder(whole, undo); !made)
        return made;
    std::string staging = (whole / ".lapbench-export-XXXXXX").string();
    if (::mkdtemp(staging.data()) == nullptr)
        return folderProblem(folder, std::strerror(errno));
    undo.staging(staging);
    for (std::size_t i = 0; i < files.size(); ++i)
        if (auto written = writeFileAtomically(fs::path(staging) / std::to_string(i), files[i].content, mode); !written)
            return Problem{(folder / files[i].name).string(), written.problem().message, written.problem().cure};
    std::vector<fs::path> folders;
    // Folders first: one that cannot be made is to cost no file that was there.
    for (const ExportFile& file : files)
        if (auto made = makeFolder((whole / file.name).parent_path(), undo); !made)
            return made;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const fs::path target = whole / files[i].name;
        if (auto placed = place(fs::path(staging) / std::to_string(i), target, undo); !placed)
            return placed;
        folders.push_back(target.parent_path());
    }
    std::ranges::sort(folders);
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    std::ranges::for_each(folders, &syncFolder);
    undo.done();
    return {};
}

} // namespace lapbench
