#pragma once

#include "core/plan/field_value.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lapbench {

/// The object of a plan that an option belongs to.
enum class FieldScope { plan, runtime, target, workload, request, load, find, measure, warmup, affinity, fairWork };

/// That object itself.
using FieldOwner =
    std::variant<Plan*, RuntimeAsk*, Target*, RequestTemplate*, Load*, Goal*, Extent*, Affinity*, FairWorkRules*>;

/// One plan option. The reader, the command line, the form of the desktop app, every message about a value and the
/// reference are made from these rows; nothing else knows the options. Constant; any thread.
struct Field {
    FieldScope scope{};
    std::string_view key; ///< in JSON
    FieldType type{};
    std::string_view flags{};                  ///< of `lapbench-cli load`: "-c,--connections"; empty where it has none
    std::string_view unit{};                   ///< "connections"; empty where the value names its own
    std::uint64_t min = 0, max = 0;            ///< of numbers, durations (nanoseconds) and shares (millionths); max 0:
                                               ///< no limit of its own
    std::span<const std::string_view> words{}; ///< of type word
    std::string_view automatic{};              ///< word for "no value" or, of a switch's flag, for "on"; empty: none
    bool required = false;
    char separator = ':'; ///< on the command line: of name and value in a map; ',' splits a list at commas
    std::string_view help{};

    void (*assign)(FieldOwner, const FieldValue&) = nullptr; ///< the value must be of the field's type
    FieldValue (*value)(FieldOwner) = nullptr;               ///< monostate where an optional is empty
};

/// A part of a plan that is not a single value.
struct Section {
    std::string_view key;
    std::string_view form; ///< "object", "list of targets"
    std::string_view help;
};

/// One of those numbers is so much of a whole.
inline constexpr double kShareUnit = 1e6;

/// The parts of the table.
std::span<const Field> fieldsOfServers();
std::span<const Field> fieldsOfTrust();
std::vector<Field> fieldsOfLoad();

/// Every option, in the order of the reference.
std::span<const Field> allFields();
std::span<const Section> allSections();

/// Nothing where the scope has no such key.
const Field* findField(FieldScope scope, std::string_view key);

/// The keys an object of this scope may have; sections included for the plan itself.
std::vector<std::string_view> keysOf(FieldScope scope);

/// "load", "target" and so on; "plan" for the plan itself.
std::string_view scopeName(FieldScope scope);

/// "load.timeout", "targets[].app", "name": where the option stands in a plan.
std::string pathOf(const Field& field);

/// What a plan has where it does not say; monostate: nothing.
FieldValue defaultOf(const Field& field);

/// "0 to 65535", "from 1ms": the allowed range; empty where there is none to tell.
std::string formatRange(const Field& field);

/// Text of the type with its words: "duration", "auto, keep-alive or curl".
std::string formatType(const Field& field);

/// The default in words: "64", "auto"; empty where there is nothing to tell.
std::string standardOf(const Field& field);

/// The option reference, as Markdown or as aligned text for a terminal.
std::string fieldsAsMarkdown();
std::string fieldsAsText();

} // namespace lapbench
