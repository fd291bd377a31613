#pragma once

#include "tests/fuzz/readings.h"
#include "tests/fuzz/rfc9112.h"

#include <array>
#include <cstdint>
#include <string>

namespace lapbench::test {

enum class Who : std::uint8_t { nobody, lapbench, libcurl, both };

/// One class of difference between Lapbench and libcurl. Only what stands here may be seen differently, and only in
/// that way.
struct Difference {
    Trait trait;
    const char* clause; ///< of RFC 9112, where no other is named
    Who refuses;        ///< that client may refuse what the other takes
    Who right;          ///< `both`: the RFC leaves it to the client
    bool mustRefuse;    ///< Lapbench may take no such answer, whatever libcurl does
    const char* what;
};

inline constexpr std::array<Difference, static_cast<std::size_t>(Trait::count)> kDifferences = {{
    {Trait::noStatusLine, "2.1", Who::lapbench, Who::lapbench, true, "an answer begins with its status line"},
    {Trait::protocolCase, "2.3", Who::lapbench, Who::lapbench, true, "HTTP-name is case-sensitive"},
    {Trait::version, "2.3; 9110 6.2", Who::lapbench, Who::lapbench, true,
     "a request of HTTP/1.1 is answered in HTTP/1.0 or HTTP/1.1"},
    {Trait::status, "4; 9110 15", Who::lapbench, Who::lapbench, true, "a status is three digits, from 100 on"},
    {Trait::protocolChange, "9110 7.8 and 15.2.2", Who::lapbench, Who::lapbench, true,
     "no other protocol without a request for it"},
    {Trait::reasonControl, "4", Who::libcurl, Who::both, false,
     "a client should ignore the reason, whatever is in it: libcurl stops at NUL"},
    {Trait::firstFieldFolded, "2.2", Who::lapbench, Who::both, true,
     "a line that begins with white space after the status line: refuse, or skip it"},
    {Trait::fieldName, "5.1; 9110 5.1", Who::both, Who::lapbench, false,
     "a field name is a token before its colon: libcurl takes anything, llhttp an empty name"},
    {Trait::valueControl, "9110 5.5", Who::both, Who::both, false,
     "a value with CR, LF or NUL: refuse, or put a space for it; other control characters are left to the client"},
    {Trait::bareCr, "2.2", Who::lapbench, Who::both, true, "a CR alone: refuse, or put a space for it"},
    {Trait::bareLf, "2.2", Who::lapbench, Who::both, false, "a client may take LF alone for a line end"},
    {Trait::framingFolded, "5.2", Who::both, Who::lapbench, false,
     "a client must unfold a value before it interprets it: libcurl does not"},
    {Trait::framingTab, "5; 9110 5.6.3", Who::lapbench, Who::libcurl, false,
     "white space may be a tab: llhttp refuses it around a length, and sees no close before it"},
    {Trait::length, "6.3, 5; 9110 8.6", Who::lapbench, Who::lapbench, true,
     "a length is digits: anything else is an error a client cannot mend"},
    {Trait::lengthHuge, "9110 8.6", Who::lapbench, Who::lapbench, false,
     "a length must not wrap around: libcurl reads to the close instead"},
    {Trait::lengthRepeated, "6.3, 5; 9110 8.6", Who::lapbench, Who::both, true,
     "the same length again: refuse, or take it once"},
    {Trait::lengthsDiffer, "6.3, 5", Who::lapbench, Who::lapbench, true,
     "different lengths are an error a client cannot mend: libcurl takes the last"},
    {Trait::lengthAndCoding, "6.1; 6.3, 3", Who::lapbench, Who::lapbench, true,
     "a length beside a coding ought to be handled as an error"},
    {Trait::codingEmpty, "6.1; 9110 5.6.1", Who::both, Who::lapbench, false,
     "an empty element of a list names no coding: both take it for an unknown one"},
    {Trait::codingBeside, "6.1; 9110 10.1.4", Who::libcurl, Who::both, false,
     "a coding that nobody offered, beside chunks or without a body: what frames the answer is plain all the same"},
    {Trait::codingUnknown, "6.3, 4; 9110 10.1.4", Who::lapbench, Who::both, true,
     "a coding that nobody offered: to the close, and then not decoded; or refused"},
    {Trait::chunkedNotLast, "6.3, 4", Who::both, Who::both, false,
     "where chunked is not the last coding, the close ends the body: libcurl reads chunks"},
    {Trait::chunkedTwice, "6.1", Who::libcurl, Who::both, false, "a server must not apply chunked twice"},
    {Trait::headCut, "8", Who::lapbench, Who::lapbench, true,
     "a head without its empty line is incomplete: libcurl takes it"},
    {Trait::chunkSize, "7.1", Who::lapbench, Who::lapbench, true, "a size is hexadecimal digits and nothing else"},
    {Trait::chunkSizeLong, "7.1", Who::libcurl, Who::lapbench, false,
     "a size may have leading zeros: libcurl takes 16 digits in all"},
    {Trait::chunkOverflow, "7.1", Who::lapbench, Who::lapbench, true, "a size must not wrap around"},
    {Trait::chunkExtension, "7.1.1", Who::lapbench, Who::libcurl, false,
     "a client must ignore extensions it does not know: llhttp refuses lawful ones"},
    {Trait::chunkEnd, "7.1", Who::lapbench, Who::lapbench, true, "a chunk ends in CRLF, right after its last byte"},
    {Trait::trailerFrames, "7.1.2; 9110 6.5.1", Who::lapbench, Who::libcurl, false,
     "a field of a trailer frames nothing: llhttp still looks at lengths and codings"},
    {Trait::trailerCut, "7.1", Who::lapbench, Who::lapbench, true,
     "an answer in chunks ends in CRLF: libcurl does not wait for the LF"},
    {Trait::excess, "6.3, last paragraph", Who::lapbench, Who::both, false,
     "bytes after the end may be dropped, or looked into: a measurement must say so"},
}};

/// Whether `who` may refuse an answer of these traits where the other client takes it.
bool mayRefuse(Who who, const Judgement& judgement);

/// The rows of the table that apply, a line each.
std::string traitsOf(const Judgement& judgement);

/// What of the reading is against RFC 9112, "" where nothing is.
std::string faultBy9112(const Reading& ours, const Judgement& judgement);

} // namespace lapbench::test
