#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace lapbench {

/// What a user chose of an opened plan; the form edits it, the runner gets it.
struct PlanChoice {
    std::vector<bool> selected; ///< one a target of the plan
    std::vector<unsigned> connections;
    Extent measure;
    std::optional<unsigned> rounds; ///< absent: as the plan says, which then has until_ci and no number of its own
    double scale = 1;

    bool operator==(const PlanChoice&) const = default;
};

/// What the plan itself says; the rounds count the A/A control among the targets.
PlanChoice choiceOf(const Plan& plan);

/// Everything that is wrong with it, each with the option's path; ranges are those of the option table.
Problems checkChoice(const PlanChoice& choice);

/// The plan with the choice in it, its apps as absolute names so that it may lie anywhere. Not scaled.
Plan applyChoice(const Plan& plan, const PlanChoice& choice, const std::filesystem::path& resources);

/// "64, 256" and back; "30s" or "5000000" and back.
Result<std::vector<unsigned>> parseConnections(const QString& text);
QString formatConnections(const std::vector<unsigned>& connections);
Result<Extent> parseExtent(const QString& text);
QString formatExtent(const Extent& extent);

/// Arguments of `lapbench-cli run`. A plan whose levels and window are as in its file is run from that file, so that
/// the result names it; an edited one, or one without a file, is written into `cache` first. Problems: the folder
/// cannot be written.
Result<QStringList> runArguments(const Plan& plan, const std::filesystem::path& file, const PlanChoice& choice,
                                 const std::filesystem::path& resources, const std::filesystem::path& cache);

} // namespace lapbench
