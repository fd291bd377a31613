#pragma once

#include "core/base/result.h"
#include "core/plan/fields.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace lapbench {

/// The options of `load`, made from the table of plan options: one command-line option for each flag that stands there.
class FieldArgs {
public:
    explicit FieldArgs(CLI::App& command);

    /// Puts what was given into the plan (its first workload). Problems: a value's, under the name of the flag; both a
    /// duration and a count.
    Result<void> apply(Plan& plan) const;

    bool given(FieldScope scope, std::string_view key) const;

private:
    struct Arg {
        std::vector<const Field*> fields; ///< more than one where a flag takes either of two things
        std::vector<std::string> texts;
        bool flag = false;
        CLI::Option* option = nullptr;
    };
    Result<void> apply(const Arg& arg, Plan& plan) const;

    std::vector<std::unique_ptr<Arg>> m_args;
};

} // namespace lapbench
