#pragma once

#include "core/base/result.h"
#include "core/result/library_entry.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lapbench {

/// The saved results in HOME/results, those of sessions that did not end included. What was read of a file once stands
/// in HOME/cache/results-index.json, and the file is read again only when its size, time or inode is another; the index
/// can be deleted at any time. A value type; one thread at a time, and several processes at once.
class Library {
public:
    explicit Library(const std::filesystem::path& home);

    const std::filesystem::path& folder() const { return m_folder; }

    /// Told now and then while files are read: how many of how many that are new or changed.
    using Reading = std::function<void(std::size_t done, std::size_t all)>;

    /// All of them, the newest first, what cannot be read last. Nothing where the folder is missing; a problem where it
    /// cannot be read.
    Result<std::vector<LibraryEntry>> list(const Reading& reading = {}) const;

    /// A result by its path, its name in the library, or the beginning of its id (4 characters or more) where that is
    /// one's only. Problems: none, or several.
    Result<LibraryEntry> find(const std::string& text) const;

    /// Gives the file another name in its folder, "NAME.lapbench.json"; returns where it is then. Problems: a name that
    /// cannot be one, or is taken; a session that did not end.
    static Result<std::filesystem::path> rename(const LibraryEntry& entry, const std::string& name);
    /// Adds tags, or takes them off. Problems: annotateResult()'s, a text that is no tag.
    static Result<void> tag(const LibraryEntry& entry, const std::vector<std::string>& tags, bool remove);
    /// Has exactly these tags then. Problems: as tag().
    static Result<void> setTags(const LibraryEntry& entry, const std::vector<std::string>& tags);
    /// Puts `text` in the place of the note; empty: none.
    static Result<void> note(const LibraryEntry& entry, const std::string& text);
    /// Moves it to the desktop's trash, or deletes it for good. Problem: a session of it is running.
    static Result<void> remove(const LibraryEntry& entry, bool permanently);

private:
    Result<LibraryEntry> fromFile(const std::filesystem::path& path) const;

    std::filesystem::path m_folder, m_index;
};

} // namespace lapbench
