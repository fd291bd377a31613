#include "app/cli/field_args.h"

#include "core/plan/rate_course.h"

#include <algorithm>

namespace lapbench {

namespace {

FieldOwner ownerIn(Plan& plan, FieldScope scope)
{
    switch (scope) {
    case FieldScope::workload:
        return &plan.workloads.front();
    case FieldScope::load:
        return &plan.load;
    case FieldScope::measure:
        return &plan.measure;
    case FieldScope::warmup:
        return &plan.warmup;
    default:
        return &plan;
    }
}

std::string helpOf(const std::vector<const Field*>& fields)
{
    std::string help;
    for (const Field* field : fields) {
        if (!help.empty())
            help += field->automatic.empty() ? " Or: " : " Or " + std::string(field->automatic) + ": ";
        help += field->help;
        const std::string standard = standardOf(*field);
        if (!standard.empty() && field->type != FieldType::boolean)
            help += " Default " + standard + ".";
    }
    return help;
}

/// What one value of a flag is; several are several flags.
std::string typeOf(const Field& field)
{
    switch (field.type) {
    case FieldType::levels:
        return "whole number";
    case FieldType::map:
        return field.separator == ':' ? "'K: V'" : "POINTER=VALUE";
    case FieldType::list:
        return field.separator == ',' ? "text,.." : "text";
    case FieldType::boolean:
        return std::string(field.automatic);
    default:
        return formatType(field);
    }
}

std::string typeOf(const std::vector<const Field*>& fields)
{
    std::string text;
    for (const Field* field : fields)
        text += (text.empty() ? "" : " or ") + typeOf(*field);
    return text;
}

} // namespace

FieldArgs::FieldArgs(CLI::App& command)
{
    for (const Field& field : allFields()) {
        if (field.flags.empty())
            continue;
        if (!m_args.empty() && m_args.back()->fields.front()->flags == field.flags)
            m_args.back()->fields.push_back(&field);
        else
            m_args.push_back(std::make_unique<Arg>(Arg{{&field}, {}, false, nullptr}));
    }
    for (const auto& arg : m_args) {
        const Field& field = *arg->fields.front();
        const std::string flags(field.flags);
        if (field.type == FieldType::boolean) {
            arg->option = command.add_flag(flags, arg->flag, helpOf(arg->fields));
            continue;
        }
        arg->option = command.add_option(flags, arg->texts, helpOf(arg->fields))
                          ->allow_extra_args(false)
                          ->type_name(typeOf(arg->fields));
        if (field.type != FieldType::map && field.type != FieldType::list)
            arg->option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    }
}

bool FieldArgs::given(FieldScope scope, std::string_view key) const
{
    return std::any_of(m_args.begin(), m_args.end(), [&](const auto& arg) {
        return arg->option->count() > 0 && std::any_of(arg->fields.begin(), arg->fields.end(), [&](const Field* field) {
                   return field->scope == scope && field->key == key;
               });
    });
}

Result<void> FieldArgs::apply(const Arg& arg, Plan& plan) const
{
    Problem first;
    for (const Field* field : arg.fields) {
        auto value = fieldValueFromText(*field, arg.texts);
        if (value) {
            field->assign(ownerIn(plan, field->scope), value.value());
            return {};
        }
        if (first.message.empty())
            first = value.problem();
    }
    if (arg.fields.size() > 1)
        first.cure += ", or a number of requests" + std::string(arg.fields.size() > 2 ? ", or auto" : "");
    first.path = "--" + arg.option->get_lnames().front();
    return first;
}

Result<void> FieldArgs::apply(Plan& plan) const
{
    const bool requests = given(FieldScope::measure, "requests");
    if (requests && given(FieldScope::measure, "duration"))
        return Problem{"--requests", "does not go together with --duration", "give one of them"};
    if (requests)
        plan.measure = Extent{};
    if (given(FieldScope::warmup, "duration"))
        plan.warmup = Extent{};
    for (const auto& arg : m_args)
        if (arg->option->count() > 0)
            if (auto applied = apply(*arg, plan); !applied)
                return applied;
    if (const auto course = courseOf(plan.load, std::nullopt);
        course && !course.value().empty() && !requests && !given(FieldScope::measure, "duration"))
        plan.measure.duration = lengthOf(course.value());
    return {};
}

} // namespace lapbench
