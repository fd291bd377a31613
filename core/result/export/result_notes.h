#pragma once

#include "core/result/session_result.h"

#include <string>
#include <vector>

namespace lapbench {

/// What a reader must know beside the tables.
struct Note {
    std::string text;               ///< a sentence
    std::vector<std::string> lines; ///< the last output of a server that failed
};

/// Scale, an early end, trials that failed and why, warnings.
std::vector<Note> notesOn(const SessionResult& result);

/// The part of it that is of the whole session.
std::vector<Note> sessionNotes(const SessionResult& result);
/// The part of it that is of the trials of one workload and level: which failed and why, and their warnings.
std::vector<Note> placeNotes(const SessionResult& result, const Cell& place);

} // namespace lapbench
