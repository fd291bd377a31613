#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lapbench {

/// What people add to a saved result.
struct Annotations {
    std::vector<std::string> tags;
    std::string notes;

    bool operator==(const Annotations&) const = default;
};

/// A tag without blanks around it. Problems: empty, longer than 64 bytes, with a comma or a control character.
Result<std::string> checkTag(const std::string& tag);

/// Lets `change` edit the tags and notes of a result file and writes it anew in one step, with a checksum that holds;
/// all else stays as it was, down to the order of its keys, and so does its mode. Nothing is written where nothing
/// changes. Problems: no result, one that was changed after Lapbench wrote it (a new checksum would hide that), a
/// session of it is running, not writable; those of `change`.
Result<void> annotateResult(const std::filesystem::path& path, const std::function<Result<void>(Annotations&)>& change);

} // namespace lapbench
