#include "core/result/import/formats.h"

namespace lapbench {

const Formats& knownFormats()
{
    static const Formats formats = [] {
        Formats made;
        addWrk(made);
        addWrk2(made);
        addApacheBench(made);
        addH2load(made);
        addHey(made);
        addBombardier(made);
        addOha(made);
        addK6(made);
        addJmeter(made);
        addLocust(made);
        addHyperfine(made);
        addHlog(made);
        addVegeta(made);
        addFortio(made);
        addAutocannon(made);
        return made;
    }();
    return formats;
}

Problem tooManyRuns(std::size_t line)
{
    return {"line " + std::to_string(line),
            "begins run " + std::to_string(kMostRuns + 1) + " of the file, and at most " + std::to_string(kMostRuns) +
                " are read",
            "import its parts one by one"};
}

} // namespace lapbench
