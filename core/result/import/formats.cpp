#include "core/result/import/formats.h"

namespace lapbench {

const Formats& knownFormats()
{
    static const Formats formats = [] {
        Formats made;
        addWrk(made);
        addWrk2(made);
        addApacheBench(made);
        addBombardier(made);
        addOha(made);
        addK6(made);
        addJmeter(made);
        return made;
    }();
    return formats;
}

} // namespace lapbench
