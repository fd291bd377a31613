#pragma once

#include "core/result/import/imported_run.h"

#include <string_view>

namespace lapbench {

/// The kind of error that a tool's words tell: "dial tcp 10.0.0.1:80: connect: connection refused". Words that tell
/// nothing are an answer that was none: `malformed`.
ErrorKind errorKindOf(std::string_view words);

/// Adds `count` failures that the tool tells in `words` to the errors of `run`: one entry a kind, the first words stay.
void addError(ImportedRun& run, std::string_view words, std::uint64_t count);
/// As above, where the kind is known.
void addError(ImportedRun& run, ErrorKind kind, std::string_view words, std::uint64_t count);
/// As above, where the phase is known too: one entry a kind and phase.
void addError(ImportedRun& run, ErrorKind kind, Phase phase, std::string_view words, std::uint64_t count);
/// Answers of this status: into `status`, and into the errors where it is outside of 200-399. 0 is none.
void addStatus(ImportedRun& run, std::uint64_t status, std::uint64_t count);

/// A status that is no error: 200-399.
bool isGoodStatus(std::uint64_t status);
/// What `addStatus` got of bad ones.
std::uint64_t badStatuses(const ImportedRun& run);

} // namespace lapbench
