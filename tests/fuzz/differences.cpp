#include "tests/fuzz/differences.h"

namespace lapbench::test {

bool mayRefuse(Who who, const Judgement& judgement)
{
    for (const Difference& difference : kDifferences)
        if (judgement.has(difference.trait) && (difference.refuses == who || difference.refuses == Who::both))
            return true;
    return false;
}

std::string traitsOf(const Judgement& judgement)
{
    std::string all;
    for (const Difference& difference : kDifferences)
        if (judgement.has(difference.trait))
            all += std::string("\n    ") + difference.clause + ": " + difference.what;
    return all.empty() ? "\n    nothing odd" : all;
}

std::string faultBy9112(const Reading& ours, const Judgement& judgement)
{
    const bool taken = ours.done() && ours.leftover == 0;
    for (const Difference& difference : kDifferences)
        if (taken && difference.mustRefuse && judgement.has(difference.trait))
            return std::string("taken against ") + difference.clause + ": " + difference.what;
    if (taken && !judgement.complete)
        return "taken, and not complete";
    if (ours.done() && (ours.status != judgement.status || ours.body != judgement.body))
        return "another status or body than RFC 9112 gives it";
    // llhttp reads Connection by the byte. That the server closes all the same is a reconnect and no wrong figure.
    const bool unclear = judgement.has(Trait::framingFolded) || judgement.has(Trait::framingTab);
    if (taken && (ours.byClose != judgement.byClose || (ours.keepAlive && !judgement.keepAlive && !unclear)))
        return "the connection goes on, which RFC 9112 says it does not";
    if (judgement.traits == 0 && (taken != judgement.complete || ours.keepAlive != judgement.keepAlive))
        return "an answer without anything odd is not seen as it is";
    return "";
}

} // namespace lapbench::test
