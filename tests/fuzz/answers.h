#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lapbench::test {

/// One hand-made answer and what a client must make of it; see answers.txt.
struct Answer {
    std::string name;
    std::string verdict;
    std::string bytes;
    bool toHead = false;
};

/// All of answers.txt. Aborts the program where the file cannot be read as it describes itself.
std::vector<Answer> handMadeAnswers(const std::string& path);

/// Changes `bytes` a little: a byte, a cut, a line twice, another number, another line end, a piece of `other`, ...
/// The same seed makes the same answer on every machine.
std::string mutated(const std::string& bytes, const std::string& other, std::uint64_t seed);

} // namespace lapbench::test
