#include "ui/bridge/plan_choice.h"

#include "core/base/atomic_file.h"
#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/plan_check.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"

#include <QRegularExpression>

#include <algorithm>

namespace lapbench {

namespace {

/// Reads a value by the option table, so that ranges and messages are the ones every reader uses.
Result<FieldValue> readField(FieldScope scope, const char* key, const std::vector<std::string>& texts)
{
    const Field* field = findField(scope, key);
    auto value = fieldValueFromText(*field, texts);
    if (value)
        return value;
    Problem problem = value.problem();
    problem.path = pathOf(*field);
    return problem;
}

template <typename T>
void addProblem(Problems& problems, const Result<T>& result)
{
    if (!result)
        problems.push_back(result.problem());
}

bool endsWithUnit(const QString& text)
{
    static const QRegularExpression unit(QStringLiteral("[0-9](ms|s|m|h)$"));
    return unit.match(text).hasMatch();
}

} // namespace

PlanChoice choiceOf(const Plan& plan)
{
    Plan asRun = plan;
    applyControl(asRun);
    PlanChoice choice;
    for (const Target& target : plan.targets)
        choice.selected.push_back(target.selected);
    choice.connections = plan.load.connections;
    choice.measure = plan.measure;
    choice.rounds = plan.untilCi ? plan.rounds : std::optional(roundsOf(asRun));
    choice.scale = plan.scale;
    return choice;
}

Problems checkChoice(const PlanChoice& choice)
{
    Problems problems;
    if (std::none_of(choice.selected.begin(), choice.selected.end(), [](bool selected) { return selected; }))
        problems.push_back({"targets", "no target is checked", "check at least one"});
    addProblem(problems, parseConnections(formatConnections(choice.connections)));
    addProblem(problems, parseExtent(formatExtent(choice.measure)));
    if (choice.rounds)
        addProblem(problems, readField(FieldScope::plan, "rounds", {std::to_string(*choice.rounds)}));
    if (!(choice.scale > 0 && choice.scale <= 1))
        problems.push_back({"--scale", "the scale must lie above 0 and be at most 1", "take 1 for the full size"});
    return problems;
}

Plan applyChoice(const Plan& plan, const PlanChoice& choice, const std::filesystem::path& resources)
{
    Plan edited = plan;
    for (std::size_t i = 0; i < edited.targets.size(); ++i) {
        Target& target = edited.targets[i];
        target.selected = i < choice.selected.size() && choice.selected[i];
        if (!target.app.empty())
            target.app = findApp(plan, target.app, resources).value_or(target.app).string();
    }
    edited.load.connections = choice.connections;
    edited.measure = choice.measure;
    edited.rounds = choice.rounds;
    return edited;
}

Result<std::vector<unsigned>> parseConnections(const QString& text)
{
    std::vector<std::string> texts;
    static const QRegularExpression separator(QStringLiteral("[,;\\s]+"));
    const QStringList words = text.split(separator, Qt::SkipEmptyParts);
    for (const QString& word : words)
        texts.push_back(word.toStdString());
    if (texts.empty())
        return Problem{"load.connections", "no level is given", "write how many connections to open, like 64, 256"};
    auto value = readField(FieldScope::load, "connections", texts);
    if (!value)
        return value.problem();
    return std::get<std::vector<unsigned>>(value.value());
}

QString formatConnections(const std::vector<unsigned>& connections)
{
    QStringList words;
    for (const unsigned level : connections)
        words << QString::number(level);
    return words.join(QStringLiteral(", "));
}

Result<Extent> parseExtent(const QString& text)
{
    const QString word = text.trimmed();
    Extent extent;
    if (endsWithUnit(word)) {
        auto value = readField(FieldScope::measure, "duration", {word.toStdString()});
        if (!value)
            return value.problem();
        extent.duration = std::get<Nanoseconds>(value.value());
        return extent;
    }
    auto value = readField(FieldScope::measure, "requests", {word.toStdString()});
    if (!value)
        return Problem{"measure", "\"" + word.toStdString() + "\" is neither a time nor a number of requests",
                       "write a time with its unit, like 30s, or a number of requests, like 100k"};
    extent.requests = std::get<std::uint64_t>(value.value());
    return extent;
}

QString formatExtent(const Extent& extent)
{
    return QString::fromStdString(extent.duration ? formatDuration(*extent.duration)
                                                  : std::to_string(extent.requests.value_or(0)));
}

Result<QStringList> runArguments(const Plan& plan, const std::filesystem::path& file, const PlanChoice& choice,
                                 const std::filesystem::path& resources, const std::filesystem::path& cache)
{
    std::filesystem::path source = file;
    if (file.empty() || choice.connections != plan.load.connections || !(choice.measure == plan.measure)) {
        source = cache / (plan.name + ".edited.plan.json");
        if (const auto place = checkDestination(source, true); !place)
            return place.problem();
        const std::string text = formatPlan(applyChoice(plan, choice, resources));
        if (const auto written = writeFileAtomically(source, text); !written)
            return written.problem();
    }
    QStringList names;
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        if (i < choice.selected.size() && choice.selected[i])
            names << QString::fromStdString(plan.targets[i].name);
    }
    QStringList arguments{QString::fromStdString(source.string()), QStringLiteral("--only"),
                          names.join(QLatin1Char(','))};
    if (choice.rounds)
        arguments << QStringLiteral("--rounds") << QString::number(*choice.rounds);
    if (choice.scale != 1)
        arguments << QStringLiteral("--scale") << QString::number(choice.scale, 'g', 12);
    return arguments;
}

} // namespace lapbench
