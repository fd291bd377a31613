#pragma once

#include "core/load/response_reader.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapbench::test {

/// All that ResponseReader tells of the bytes of one connection, which the peer closes after them.
struct Reading {
    ResponseReader::Progress progress = ResponseReader::Progress::more;
    bool byClose = false; ///< `done` only because the connection was closed
    bool headDone = false;
    bool keepAlive = false;
    int status = 0;
    std::uint64_t bodyBytes = 0;
    std::string body;
    std::size_t leftover = 0;
    std::string reason;

    bool done() const { return progress == ResponseReader::Progress::done; }
    /// What is the same however the bytes are cut into pieces.
    bool sameAs(const Reading& other) const;
    /// In the words of answers.txt.
    std::string verdict() const;
};

/// Reads `bytes` in pieces that `seed` chooses; 0: in one piece, 1: byte by byte.
Reading readingOf(std::string_view bytes, bool toHead, std::uint64_t seed, KnownHead& known);

/// Reads `bytes` in every manner there is: in one piece, byte by byte, in pieces, with its head known, with the same
/// head known from an answer to the other kind of request, without what is left over, and without its last byte.
/// Returns in words where they disagree, "" where they do not.
std::string disagreement(std::string_view bytes, bool toHead, std::uint64_t seed);

} // namespace lapbench::test
