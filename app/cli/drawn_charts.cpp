#include "app/cli/drawn_charts.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/server/subprocess.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace lapbench {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::minutes kLongestDrawing{2}; // both themes together
constexpr std::size_t kMostFiles = 10'000;
constexpr std::uint64_t kLargestPicture = 32u << 20;

bool isProgram(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// A folder that goes with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::error_code ignored;
        std::string name = (fs::temp_directory_path(ignored) / "lapbench-charts-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr)
            m_path = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

/// What chart a file shows: its name without what tells theme and scale, "rps" of "rps-dark@2x.png".
std::string chartName(const fs::path& file)
{
    std::string name = file.stem().string();
    for (const std::string_view ending : {"@1x", "@2x", "@3x", "-light", "-dark"})
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    return name;
}

/// The pictures that the app says it has written into `folder`, in its order.
std::vector<ChartPicture> readPictures(const std::vector<fs::path>& written, const fs::path& folder)
{
    std::vector<ChartPicture> pictures;
    std::map<std::string, std::string> pngs, csvs;
    for (const fs::path& path : written) {
        const fs::path kind = path.extension();
        if (path.parent_path() != folder || (kind != ".svg" && kind != ".png" && kind != ".csv"))
            continue;
        auto content = readFile(path, kLargestPicture);
        if (content && kind == ".svg")
            pictures.push_back(makeChartPicture(chartName(path), std::move(content).value()));
        else if (content)
            (kind == ".png" ? pngs : csvs)[chartName(path)] = std::move(content).value();
    }
    for (ChartPicture& picture : pictures) {
        picture.png = std::move(pngs[picture.name]);
        picture.csv = std::move(csvs[picture.name]);
    }
    return pictures;
}

struct Drawing {
    std::vector<ChartPicture> pictures;
    std::string trouble; ///< why there are none
};

/// What ends the drawing before its end.
struct Patience {
    std::chrono::steady_clock::time_point until;
    const std::atomic<bool>& stop;

    std::chrono::nanoseconds left() const
    {
        return std::max<std::chrono::nanoseconds>(until - std::chrono::steady_clock::now(), std::chrono::seconds(1));
    }
};

Drawing draw(const fs::path& app, const fs::path& result, const std::string& theme, bool png, const Patience& patience)
{
    const TemporaryFolder folder;
    if (folder.path().empty())
        return {{}, "no temporary folder could be made"};
    ProgramStart start;
    start.argv = {app.string(),
                  "--export-charts",
                  fs::absolute(result).string(),
                  "--format",
                  png ? "svg,png" : "svg",
                  "--theme",
                  theme,
                  "--size",
                  "blog",
                  "--scale",
                  png ? "2" : "1",
                  "-o",
                  folder.path().string()};
    start.env = {{"QT_QPA_PLATFORM", "offscreen"}};
    std::vector<fs::path> written;
    const std::string beginning = folder.path().string() + "/";
    const auto note = [&](const std::string& line) {
        if (line.starts_with(beginning) && written.size() < kMostFiles)
            written.emplace_back(line);
    };
    const auto run = runProgram(start, patience.left(), note, &patience.stop);
    if (!run)
        return {{}, format(run.problem())};
    if (run.value().stopped)
        return {{}, "it was interrupted"};
    if (run.value().timedOut)
        return {{}, "it took longer than two minutes"};
    if (!run.value().succeeded()) {
        const auto& lines = run.value().lastLines;
        return {{}, lines.empty() ? "it failed" : lines.back()};
    }
    Drawing drawing{readPictures(written, folder.path()), {}};
    if (drawing.pictures.empty())
        drawing.trouble = "it drew none";
    return drawing;
}

} // namespace

fs::path desktopApp(const fs::path& cli)
{
    std::error_code ignored;
    const fs::path folder = cli.parent_path();
    for (const fs::path& path : {folder / "lapbench", folder.parent_path() / "gui" / "lapbench"})
        if (isProgram(path))
            return path;
    const char* list = std::getenv("PATH");
    std::string_view rest = list == nullptr ? "" : list;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const fs::path path = fs::path(rest.substr(0, end)) / "lapbench";
        if (path.is_absolute() && isProgram(path))
            return path;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

Charts drawCharts(const fs::path& cli, const ResultSource& source, const ChartWish& wish, const std::atomic<bool>& stop)
{
    Charts charts;
    const Patience patience{std::chrono::steady_clock::now() + kLongestDrawing, stop};
    const fs::path app = desktopApp(cli);
    if (app.empty()) {
        charts.missing = "Charts need the desktop app, lapbench, which is neither beside lapbench-cli nor on PATH";
        return charts;
    }
    const auto reason = [](const std::string& trouble) {
        return "Charts are drawn by the desktop app, lapbench, which could not do it: " + trouble;
    };
    const TemporaryFolder folder;
    fs::path result = source.file;
    if (!source.own) {
        result = folder.path() / "result.lapbench.json";
        const auto text = source.text();
        if (folder.path().empty() || !text || !writeFileAtomically(result, text.value())) {
            charts.missing = reason("the result could not be handed to it");
            return charts;
        }
    }
    Drawing light = draw(app, result, "light", wish.png, patience);
    if (!light.trouble.empty()) {
        charts.missing = reason(light.trouble);
        return charts;
    }
    charts.light = std::move(light.pictures);
    if (wish.dark)
        charts.dark = draw(app, result, "dark", false, patience).pictures;
    return charts;
}

} // namespace lapbench
