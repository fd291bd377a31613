#include "ui/models/verdict_text.h"

#include "ui/models/number_format.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>

namespace lapbench {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("VerdictText", text);
}

QString shapeAndWord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::faster:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "▲ faster"));
    case Verdict::slower:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "▼ slower"));
    case Verdict::equivalent:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "= equivalent"));
    case Verdict::cannotTell:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("VerdictText", "? cannot tell"));
}

} // namespace

QString verdictText(const Comparison& comparison)
{
    if (!comparison.rankable)
        return translated(QT_TRANSLATE_NOOP("VerdictText", "⊘ no verdict"));
    if (comparison.figures.rounds == 0)
        return missingFigure();
    const QString text = shapeAndWord(comparison.figures.verdict);
    return comparison.figures.thin ? translated(QT_TRANSLATE_NOOP("VerdictText", "%1 (thin)")).arg(text) : text;
}

QString notRankedText()
{
    return translated(QT_TRANSLATE_NOOP("VerdictText", "⊘ not ranked"));
}

QString limitText(Limit limit)
{
    switch (limit) {
    case Limit::errors:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "errors"));
    case Limit::clientLimit:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "client limit"));
    case Limit::generator:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "generator"));
    case Limit::noise:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "noise"));
    case Limit::rate:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "rate"));
    case Limit::server:
        return translated(QT_TRANSLATE_NOOP("VerdictText", "server"));
    case Limit::unknown:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("VerdictText", "unknown"));
}

LimitsFound limitsOf(const std::vector<const Trial*>& trials)
{
    struct Kind {
        const Trial* first = nullptr;
        int trials = 0;
    };
    std::map<Limit, Kind> kinds; // in the order of the rules
    LimitsFound found;
    for (const Trial* trial : trials) {
        if (trial->outcome != Outcome::done || trial->superseded || !trial->bottleneck)
            continue;
        const Bottleneck& bottleneck = *trial->bottleneck;
        Kind& kind = kinds[bottleneck.limit];
        if (kind.trials++ == 0)
            kind.first = trial;
        if (!bottleneck.rankable && found.obstacle.isEmpty())
            found.obstacle = translated(QT_TRANSLATE_NOOP("VerdictText", "limited by %1 in round %2: %3"))
                                 .arg(limitText(bottleneck.limit), QString::number(trial->round),
                                      QString::fromStdString(bottleneck.reason));
    }
    QStringList names, reasons;
    for (const auto& [limit, kind] : kinds) {
        names << limitText(limit);
        reasons << translated(QT_TRANSLATE_NOOP("VerdictText", "%1, rounds: %2, first in round %3: %4"))
                       .arg(limitText(limit), QString::number(kind.trials), QString::number(kind.first->round),
                            QString::fromStdString(kind.first->bottleneck->reason));
    }
    found.names = names.join(QStringLiteral(", "));
    found.reasons = reasons.join(QLatin1Char('\n'));
    return found;
}

QString doubtOf(const Trial& trial)
{
    if (!trial.bottleneck || trial.bottleneck->rankable)
        return {};
    return translated(QT_TRANSLATE_NOOP("VerdictText", "not ranked: %1")).arg(limitText(trial.bottleneck->limit));
}

} // namespace lapbench
