#include "core/base/units.h"
#include "core/plan/fields.h"

namespace lapbench {

namespace {

std::string formatBound(const Field& field, std::uint64_t bound)
{
    if (field.type == FieldType::share)
        return formatShare(static_cast<double>(bound) / kShareUnit);
    return field.type == FieldType::duration ? formatDuration(Nanoseconds(bound)) : std::to_string(bound);
}

std::string joined(std::span<const std::string_view> words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
    return text;
}

std::string spaced(std::string_view flags)
{
    const std::size_t comma = flags.find(',');
    return comma == std::string_view::npos
               ? std::string(flags)
               : std::string(flags.substr(0, comma)) + ", " + std::string(flags.substr(comma + 1));
}

std::string code(const std::string& text)
{
    return text.empty() ? "" : "`" + text + "`";
}

} // namespace

std::string_view scopeName(FieldScope scope)
{
    switch (scope) {
    case FieldScope::plan:
        return "plan";
    case FieldScope::runtime:
        return "runtime";
    case FieldScope::target:
        return "target";
    case FieldScope::workload:
        return "workload";
    case FieldScope::request:
        return "request";
    case FieldScope::load:
        return "load";
    case FieldScope::find:
        return "find";
    case FieldScope::measure:
        return "measure";
    case FieldScope::warmup:
        return "warmup";
    case FieldScope::affinity:
        return "affinity";
    case FieldScope::fairWork:
        return "fair_work";
    }
    return "";
}

std::string pathOf(const Field& field)
{
    const std::string key(field.key);
    switch (field.scope) {
    case FieldScope::plan:
        return key;
    case FieldScope::runtime:
        return "runtimes.NAME." + key;
    case FieldScope::target:
        return "targets[]." + key;
    case FieldScope::workload:
        return "workloads[]." + key;
    case FieldScope::request:
        return "workloads[].requests[]." + key;
    case FieldScope::find:
        return "load.find." + key;
    default:
        return std::string(scopeName(field.scope)) + "." + key;
    }
}

std::string formatRange(const Field& field)
{
    if (field.min == 0 && field.max == 0)
        return "";
    if (field.max == 0)
        return "from " + formatBound(field, field.min);
    return formatBound(field, field.min) + " to " + formatBound(field, field.max);
}

std::string formatType(const Field& field)
{
    const std::string automatic = field.automatic.empty() ? "" : " or " + std::string(field.automatic);
    switch (field.type) {
    case FieldType::text:
        return "text";
    case FieldType::path:
        return "file name";
    case FieldType::duration:
        return "duration";
    case FieldType::count:
        return "count";
    case FieldType::integer:
        return "whole number" + automatic;
    case FieldType::share:
        return "share";
    case FieldType::boolean:
        return "true or false";
    case FieldType::word:
        return joined(field.words);
    case FieldType::list:
        return "list of texts";
    case FieldType::levels:
        return "list of whole numbers";
    case FieldType::cores:
        return "list of processors";
    case FieldType::map:
        return "object: name to text";
    case FieldType::statuses:
        return "list of status codes";
    }
    return "";
}

std::string standardOf(const Field& field)
{
    // The word of a switch turns it on, so that it is not what a plan has where it does not say.
    const bool isWord = !field.automatic.empty() && field.type != FieldType::boolean;
    return isWord ? std::string(field.automatic) : formatFieldValue(defaultOf(field));
}

std::string fieldsAsMarkdown()
{
    std::string text =
        "# Plan options\n\n"
        "Durations take `ms`, `s`, `m`, `h`; counts take `k`, `M`; shares are texts such as `2%` or numbers such as "
        "`0.02`; processors are numbers or texts such as `0-1,4`. Flags are those of `lapbench-cli load`.\n\n"
        "| part | form | what it is |\n| --- | --- | --- |\n";
    for (const Section& section : allSections())
        text += "| `" + std::string(section.key) + "` | " + std::string(section.form) + " | " +
                std::string(section.help) + " |\n";
    text += "\n| option | type | default | range | flag | what it does |\n| --- | --- | --- | --- | --- | --- |\n";
    for (const Field& field : allFields()) {
        const std::string standard = field.required ? "required" : code(standardOf(field));
        text += "| `" + pathOf(field) + "` | " + formatType(field) + " | " + standard + " | " + formatRange(field) +
                " | " + code(spaced(field.flags)) + " | " + std::string(field.help) + " |\n";
    }
    return text;
}

std::string fieldsAsText()
{
    std::string text;
    for (const Field& field : allFields()) {
        std::string facts = formatType(field);
        if (const std::string range = formatRange(field); !range.empty())
            facts += ", " + range;
        const std::string standard = standardOf(field);
        if (field.required)
            facts += ", required";
        else if (!standard.empty())
            facts += ", default " + standard;
        if (!field.flags.empty())
            facts += ", " + spaced(field.flags);
        text += pathOf(field) + "  (" + facts + ")\n    " + std::string(field.help) + "\n";
    }
    return text;
}

} // namespace lapbench
