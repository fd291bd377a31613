#pragma once

#include "core/plan/fields.h"
#include "core/plan/words.h"

#include <cstdint>
#include <type_traits>

// How a row of the option table is written; for the files that hold the table.
namespace lapbench::field_row {

inline constexpr std::uint64_t kMs = 1'000'000;
inline constexpr std::uint64_t kHour = 3'600'000 * kMs;

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
void store(T& member, const FieldValue& value)
{
    if constexpr (IsOptional<T>::value) {
        if (std::holds_alternative<std::monostate>(value)) {
            member.reset();
            return;
        }
        store(member.emplace(), value);
    } else if constexpr (std::is_enum_v<T>) {
        const auto& word = std::get<std::string>(value);
        for (std::size_t i = 0; i < WordsOf<T>::words.size(); ++i)
            if (WordsOf<T>::words[i] == word)
                member = static_cast<T>(i);
    } else if constexpr (std::is_same_v<T, bool>) {
        member = std::get<bool>(value);
    } else if constexpr (std::is_unsigned_v<T>) {
        member = static_cast<T>(std::get<std::uint64_t>(value));
    } else {
        member = std::get<T>(value);
    }
}

template <typename T>
FieldValue fetch(const T& member)
{
    if constexpr (IsOptional<T>::value)
        return member ? fetch(*member) : FieldValue{};
    else if constexpr (std::is_enum_v<T>)
        return std::string(nameOf(member));
    else if constexpr (std::is_same_v<T, bool>)
        return member;
    else if constexpr (std::is_unsigned_v<T>)
        return static_cast<std::uint64_t>(member);
    else
        return member;
}

template <typename T>
struct MemberOf;
template <typename Class, typename Type>
struct MemberOf<Type Class::*> {
    using Owner = Class;
};

/// The part of a plan's object that declares an option: the object itself or what it is made of.
template <typename Owner>
Owner& ownerAs(FieldOwner owner)
{
    return *std::visit(
        [](auto* object) -> Owner* {
            if constexpr (std::is_convertible_v<decltype(object), Owner*>)
                return object;
            else
                return nullptr;
        },
        owner);
}

/// Completes a row with the functions that move its value into and out of the plan.
template <auto member>
constexpr Field row(Field field)
{
    using Owner = typename MemberOf<decltype(member)>::Owner;
    field.assign = [](FieldOwner owner, const FieldValue& value) { store(ownerAs<Owner>(owner).*member, value); };
    field.value = [](FieldOwner owner) { return fetch(ownerAs<Owner>(owner).*member); };
    return field;
}

} // namespace lapbench::field_row
