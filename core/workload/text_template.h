#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/workload/data_feed.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lapbench {

/// Where a text stands in a request; it decides what inserted values may hold.
enum class TextPlace {
    path,   ///< what a path cannot hold is percent-encoded
    header, ///< line breaks and NUL are refused
    body    ///< everything stands as it is
};

/// All that the values of one request are made from.
struct RequestPoint {
    std::uint64_t seed = 0;       ///< of this request
    std::uint64_t occurrence = 0; ///< how many requests of its kind come before it
    UtcTime now;                  ///< when it is sent
    std::size_t bodyLength = 0;   ///< of the body that belongs to it
};

/// A text with placeholders, compiled once:
///
///     {{random_int A B}}   a whole number A..B, both included
///     {{choice a b "c d"}} one of the words
///     {{sequence}}         1, 2, 3 ..: the number of this request among those of its kind
///     {{uuid}}             a random UUID (version 4, RFC 9562)
///     {{now_iso}}          the time in UTC, 2026-11-30T14:40:00.123Z
///     {{now_ms}}           milliseconds since 1970
///     {{csv FILE COLUMN}}  a value of a data feed; the row goes with the number among those of its kind
///     \{{                  a plain {{
///
/// Random values are a pure function of the request's seed and the placeholder's place in the request. Immutable; any
/// thread.
class TextTemplate {
public:
    /// `nextPlace` counts the placeholders of the request. Problems (path left empty for the caller): a placeholder
    /// that is unknown, not closed, or has the wrong words; a data feed that cannot be used here.
    static Result<TextTemplate> compile(std::string_view text, TextPlace place, FeedShelf& feeds, unsigned& nextPlace);

    bool isConstant() const;
    bool readsClock() const;
    /// Whether every rendering begins with `c`.
    bool alwaysBeginsWith(char c) const;
    /// No rendering is longer, in bytes.
    std::size_t longest() const;
    /// Writes the text of one request to `to`, where there is room for longest() bytes; returns the end.
    char* render(const RequestPoint& point, char* to) const;

    void append(std::string_view plain);
    void append(const TextTemplate& other);
    /// The length of the request's body, in digits.
    void appendBodyLength();

private:
    struct RandomInt {
        std::uint64_t low; ///< two's complement
        std::uint64_t span;
        unsigned place;
    };
    struct Choice {
        std::vector<std::string> words;
        unsigned place;
    };
    struct Sequence {};
    struct Uuid {
        unsigned place;
    };
    struct NowIso {};
    struct NowMs {};
    struct FeedColumn {
        std::shared_ptr<const DataFeed> feed;
        std::size_t column;
        bool percentEncoded;
    };
    struct BodyLength {};
    using Piece = std::variant<std::string, RandomInt, Choice, Sequence, Uuid, NowIso, NowMs, FeedColumn, BodyLength>;
    struct Renderer;
    friend class TemplateCompiler;

    std::vector<Piece> m_pieces; ///< no two texts in a row
};

} // namespace lapbench
