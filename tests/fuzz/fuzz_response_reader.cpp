// A libFuzzer target over ResponseReader; CONTRIBUTING.md says how to run it. An input is one byte that chooses the
// kind of request, one that chooses the pieces, and the answer.
#include "tests/fuzz/differences.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace lapbench;
    using namespace lapbench::test;
    if (size < 2)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const bool toHead = (data[0] & 1U) != 0;
    std::string wrong = disagreement(bytes, toHead, data[1]);
    KnownHead none;
    const Reading ours = readingOf(bytes, toHead, data[1], none);
    const Judgement judgement = judged(bytes, toHead);
    if (wrong.empty())
        wrong = faultBy9112(ours, judgement);
    if (wrong.empty())
        return 0;
    std::fprintf(stderr, "%s\n  read as: %s %s\n", wrong.c_str(), ours.verdict().c_str(), ours.reason.c_str());
    std::abort();
}
