#pragma once

#include "core/base/owned_fd.h"
#include "core/base/result.h"
#include "core/result/session_result.h"

#include <filesystem>
#include <string_view>

namespace lapbench {

/// Every finished trial on disk before the next one starts: JSON lines beside the result, fsynced one by one. The
/// first line holds all of the record that is known by then but its trials; where more becomes known, a later line
/// holds it all. One thread.
class Journal {
public:
    /// `RESULT.journal`.
    static std::filesystem::path pathFor(const std::filesystem::path& result);

    /// Whether a running session, of any process, writes the journal.
    static bool inUse(const std::filesystem::path& result);

    /// Makes the journal with its first line. Problems: one is already there (an interrupted session), not writable.
    static Result<Journal> create(const std::filesystem::path& result, const SessionResult& head);
    /// Opens the journal of a session that did not end, to go on with it; a torn last line is cut off. Problem: it is
    /// in use.
    static Result<Journal> reopen(const std::filesystem::path& result);
    /// `elapsed`: what the session has taken until now, for SessionResult::elapsedSeconds.
    Result<void> append(const Trial& trial, Nanoseconds elapsed = {});
    /// All that is known by now but the trials, warnings included.
    Result<void> appendHead(const SessionResult& head);
    /// The result is written: the journal goes.
    void discard();

private:
    Journal(std::filesystem::path path, OwnedFd fd);
    std::filesystem::path m_path;
    OwnedFd m_fd; ///< closed with this object; the file stays
};

/// What a journal holds; a torn last line is left out. Problems: not a journal, newer than this version.
Result<SessionResult> parseJournal(std::string_view text);

} // namespace lapbench
