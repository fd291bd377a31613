#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapbench::test {

/// What an answer can have that two clients may see differently. The clauses are in the table of
/// tst_answers_like_libcurl.cpp.
enum class Trait : unsigned {
    noStatusLine,
    protocolCase,
    version,
    status,
    protocolChange,
    reasonControl,
    firstFieldFolded,
    fieldName,
    valueControl,
    bareCr,
    bareLf,
    framingFolded,
    framingTab,
    length,
    lengthHuge,
    lengthRepeated,
    lengthsDiffer,
    lengthAndCoding,
    codingEmpty,
    codingBeside,
    codingUnknown,
    chunkedNotLast,
    chunkedTwice,
    headCut,
    chunkSize,
    chunkSizeLong,
    chunkOverflow,
    chunkExtension,
    chunkEnd,
    trailerFrames,
    trailerCut,
    excess,
    count
};

/// What a client that takes every line end and stops at nothing makes of an answer, with all that is odd about it.
/// Written from RFC 9112 alone, so that neither llhttp nor libcurl has a word in it.
struct Judgement {
    std::uint64_t traits = 0;
    bool complete = false;
    bool byClose = false; ///< the body ends where the connection does
    bool keepAlive = false;
    int status = 0;
    std::string body;

    bool has(Trait trait) const { return (traits >> static_cast<unsigned>(trait) & 1U) != 0; }
};

/// `bytes` are all that comes before the peer closes the connection.
Judgement judged(std::string_view bytes, bool toHead);

} // namespace lapbench::test
