#include "ui/views/main_window.h"

#include "core/base/atomic_file.h"
#include "core/plan/plan_check.h"
#include "core/plan/plan_json.h"
#include "core/plan/schedule.h"
#include "core/result/result_json.h"
#include "ui/bridge/opened_result.h"
#include "ui/charts/result_file.h"
#include "ui/style/theme.h"
#include "ui/views/file_drop.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lapbench {

namespace {

std::filesystem::path toPath(const QString& file)
{
    return std::filesystem::path(file.toStdString());
}

constexpr QLatin1String kResultEnding(".lapbench.json");

QString listMissing(const MissingPieces& missing)
{
    QStringList names;
    for (const RuntimeAsk& runtime : missing.runtimes)
        names << runtimeText(runtime);
    for (const std::filesystem::path& app : missing.apps)
        names << MainWindow::tr("the packages of %1").arg(QString::fromStdString(app.filename().string()));
    return names.join(QStringLiteral(", "));
}

} // namespace

MainWindow::MainWindow(const SessionPlaces& places, QWidget* parent)
    : QMainWindow(parent), m_places(places), m_session(new LiveSession(this)), m_form(new PlanForm),
      m_page(new LivePage(m_form)), m_messages(new MessageBar), m_title(new QLabel), m_open(new QAction(this)),
      m_save(new QAction(this)), m_start(new QAction(this)), m_stop(new QAction(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    m_messages->setObjectName(QStringLiteral("messageBar"));
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_page, 1);
    setCentralWidget(page);
    buildToolBar();
    applyPalette();
    resize(1280, 800);
    m_drop = new FileDrop(this);

    connect(m_drop, &FileDrop::dropped, this, &MainWindow::openDropped);
    connect(m_session, &LiveSession::eventRead, m_page, &LivePage::handle);
    connect(m_session, &LiveSession::lineRefused, this, [this](const QString& message) {
        m_messages->post(MessageKind::warning, QStringLiteral("runner-line"), message);
    });
    connect(m_session, &LiveSession::ended, this, &MainWindow::handleEnd);
    connect(m_page, &LivePage::warned, this, &MainWindow::warn);
    // What was measured stays in view until the next session starts.
    connect(m_form, &PlanForm::changed, this, [this] {
        if (m_result.isEmpty())
            showExpected();
    });
    updateActions();
}

void MainWindow::buildToolBar()
{
    const auto prepare = [this](QAction* action, const char* objectName, const QString& text, const QString& tip,
                                const QKeySequence& keys) {
        action->setObjectName(QLatin1String(objectName));
        action->setText(text);
        action->setShortcut(keys);
        action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys.toString()));
        addAction(action);
    };
    prepare(m_open, "openAction", tr("Open"), tr("Open a plan or a saved result"), QKeySequence::Open);
    prepare(m_save, "saveAction", tr("Save result as"), tr("Save a copy of the result"), QKeySequence::SaveAs);
    prepare(m_start, "startAction", tr("Start"), tr("Run the plan as chosen"), QKeySequence(Qt::Key_F5));
    prepare(m_stop, "stopAction", tr("Stop"), tr("Stop and save what was measured"), QKeySequence(Qt::Key_Escape));
    connect(m_open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_save, &QAction::triggered, this, &MainWindow::chooseDestination);
    connect(m_start, &QAction::triggered, this, &MainWindow::startSession);
    connect(m_stop, &QAction::triggered, this, &MainWindow::stopSession);

    m_title->setObjectName(QStringLiteral("planTitle"));
    m_title->setAccessibleName(tr("Plan"));
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setBold(true);
    m_title->setFont(large);
    m_title->setText(tr("No plan"));
    m_title->setContentsMargins(8, 0, 8, 0);
    m_title->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);

    auto* bar = new QToolBar(tr("Session"), this);
    bar->setObjectName(QStringLiteral("sessionBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(20, 20));
    bar->addWidget(m_title);
    for (QAction* action : {m_start, m_stop, m_open, m_save}) {
        bar->addAction(action);
        if (QWidget* button = bar->widgetForAction(action))
            button->setObjectName(action->objectName() + QStringLiteral("Button"));
    }
    bar->insertSeparator(m_open);
    addToolBar(bar);
}

void MainWindow::applyPalette()
{
    m_open->setIcon(lineIcon(QStringLiteral("open"), palette()));
    m_save->setIcon(lineIcon(QStringLiteral("save"), palette()));
    m_start->setIcon(lineIcon(QStringLiteral("start"), palette(), QPalette::HighlightedText));
    m_stop->setIcon(lineIcon(QStringLiteral("stop"), palette()));
    if (auto* start = findChild<QToolButton*>(QStringLiteral("startActionButton"))) {
        QPalette accent = palette();
        for (const auto group : {QPalette::Active, QPalette::Inactive}) {
            accent.setColor(group, QPalette::Button, palette().color(QPalette::Highlight));
            accent.setColor(group, QPalette::ButtonText, palette().color(QPalette::HighlightedText));
        }
        start->setPalette(accent);
        start->setAutoRaise(false);
    }
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyPalette();
}

void MainWindow::report(MessageKind kind, const QString& key, const Problem& problem)
{
    m_messages->post(kind, key, QString::fromStdString(format(problem)));
}

void MainWindow::warn(const Warning& warning)
{
    const MessageKind kind = warning.severity == "error"  ? MessageKind::error
                             : warning.severity == "info" ? MessageKind::info
                                                          : MessageKind::warning;
    const QString text = QString::fromStdString(warning.text), evidence = QString::fromStdString(warning.evidence);
    m_messages->collect(kind, QString::fromStdString(warning.code),
                        evidence.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, evidence));
}

bool MainWindow::open(const QString& nameOrFile, double scale)
{
    if (isRunning())
        return false;
    m_messages->clear();
    const bool opened =
        fileKind(toPath(nameOrFile)) == FileKind::plan ? openPlan(nameOrFile, scale) : openResult(nameOrFile);
    updateActions();
    return opened;
}

bool MainWindow::openPlan(const QString& nameOrFile, double scale)
{
    const auto file = findPlan(nameOrFile.toStdString(), m_places.resources);
    if (!file) {
        report(MessageKind::error, QStringLiteral("open"), file.problem());
        return false;
    }
    PlanReading reading = readPlan(file.value(), m_places.resources);
    const std::size_t shown =
        reading.problems.size() > MessageBar::kMostMessages ? MessageBar::kMostMessages - 1 : reading.problems.size();
    for (std::size_t i = 0; i < shown; ++i)
        report(MessageKind::error, QStringLiteral("plan-%1").arg(i), reading.problems[i]);
    if (shown < reading.problems.size())
        report(MessageKind::error, QStringLiteral("plan-more"),
               {file.value().string(), "has further problems (" + std::to_string(reading.problems.size() - shown) + ")",
                "lapbench-cli check lists all of them"});
    if (!reading.ok())
        return false;
    reading.plan.scale = scale;
    m_plan = std::move(reading.plan);
    m_planFile = file.value();
    m_result.clear();
    showPlan(*m_plan);
    showExpected();
    return true;
}

bool MainWindow::openResult(const QString& file)
{
    auto result = readResultFile(toPath(file));
    if (!result) {
        report(MessageKind::error, QStringLiteral("open"), result.problem());
        return false;
    }
    const OpenedResult opened = openedResult(std::move(result).value(), toPath(file).parent_path());
    m_plan = opened.plan;
    m_planFile.clear();
    m_result = file;
    showPlan(*m_plan);
    m_page->showResult(opened.result, opened.shown);
    for (const Warning& warning : opened.result.warnings)
        warn(warning);
    return true;
}

void MainWindow::showPlan(const Plan& plan)
{
    const QString title = QString::fromStdString(plan.title.empty() ? plan.name : plan.title);
    m_title->setText(title);
    m_title->setToolTip(QString::fromStdString(plan.description));
    setWindowTitle(tr("%1 – Lapbench").arg(title));
    m_form->setPlan(plan);
}

void MainWindow::showExpected()
{
    Problems problems;
    const PlanChoice choice = m_form->choice(problems);
    if (!m_plan || !problems.empty() || isRunning())
        return;
    Plan expected = applyChoice(*m_plan, choice, m_places.resources);
    expected.scale = 1;
    applyControl(expected);
    if (applyScale(expected, choice.scale))
        m_page->expect(expected);
}

void MainWindow::startSession()
{
    if (isRunning() || !m_plan)
        return;
    m_messages->clear();
    Problems problems;
    const PlanChoice choice = m_form->choice(problems);
    for (const Problem& problem : problems)
        report(MessageKind::error, QString::fromStdString(problem.path), problem);
    if (m_places.program.empty())
        report(MessageKind::error, QStringLiteral("program"),
               {"", "lapbench-cli was not found beside this program or on PATH",
                "install it, or start Lapbench from its folder"});
    if (!problems.empty() || m_places.program.empty())
        return;
    const MissingPieces missing = missingPieces(applyChoice(*m_plan, choice, m_places.resources), m_places);
    if (missing.empty()) {
        run(choice, false);
        return;
    }
    m_messages->ask(QStringLiteral("install"),
                    tr("Not installed yet: %1. Lapbench can fetch them from the npm registry into its own folder, %2.")
                        .arg(listMissing(missing), QString::fromStdString(m_places.home.string())),
                    tr("Install and run"), [this, choice] { run(choice, true); });
}

void MainWindow::run(const PlanChoice& choice, bool install)
{
    const auto arguments = runArguments(*m_plan, m_planFile, choice, m_places.resources, m_places.home / "cache");
    if (!arguments) {
        report(MessageKind::error, QStringLiteral("cache"), arguments.problem());
        return;
    }
    showExpected();
    m_result.clear();
    m_page->begin();
    m_session->start(QString::fromStdString(m_places.program.string()),
                     install ? arguments.value() + QStringList{QStringLiteral("--yes")} : arguments.value());
    updateActions();
}

void MainWindow::stopSession()
{
    if (!isRunning() || m_session->stopping())
        return;
    m_session->stop();
    m_page->say(tr("Stopping, saving what was measured"));
    updateActions();
}

void MainWindow::handleEnd(const LiveSessionEnd& end)
{
    m_result = end.result;
    m_page->end(end);
    if (m_plan && m_plan->coldStarts > 0 && !end.result.isEmpty())
        showColdStarts();
    if (!end.message.isEmpty())
        m_messages->post(MessageKind::error, QStringLiteral("session"), end.message);
    updateActions();
    emit sessionEnded(end);
    if (m_closing)
        close();
}

void MainWindow::showColdStarts()
{
    auto result = readResultOrJournal(toPath(m_result));
    if (result)
        m_page->showColdStarts(std::move(result.value().coldStarts));
    else
        report(MessageKind::warning, QStringLiteral("cold-starts"), result.problem());
}

void MainWindow::updateActions()
{
    const bool running = isRunning();
    m_start->setEnabled(!running && m_plan && !m_plan->targets.empty());
    m_stop->setEnabled(running && !m_session->stopping());
    m_open->setEnabled(!running);
    m_drop->setOpen(!running);
    m_save->setEnabled(!running && !m_result.isEmpty());
    m_form->setEditable(!running && m_plan && !m_plan->targets.empty());
}

void MainWindow::chooseFile()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a plan or a result"), QString::fromStdString((m_places.home / "results").string()),
        tr("Plans, results and charts (*.plan.json *.lapbench.json *.journal *.svg *.png);;All files (*)"));
    if (!file.isEmpty())
        open(file);
}

void MainWindow::openDropped(const QString& file, int others)
{
    open(file);
    if (others > 0)
        m_messages->post(MessageKind::info, QStringLiteral("dropped"),
                         tr("One file at a time: %1 was taken of %2").arg(QFileInfo(file).fileName()).arg(others + 1));
}

void MainWindow::chooseDestination()
{
    QString name = QFileInfo(m_result).fileName();
    if (!name.endsWith(kResultEnding))
        name = QFileInfo(m_result).completeBaseName() + kResultEnding;
    const QString file = QFileDialog::getSaveFileName(this, tr("Save the result as"), QDir::home().filePath(name),
                                                      tr("Results (*.lapbench.json)"));
    if (!file.isEmpty())
        saveResultTo(file);
}

bool MainWindow::saveResultTo(const QString& file)
{
    const auto content = resultFileText(toPath(m_result));
    const auto written = content ? writeFileAtomically(toPath(file), content.value()) : Result<void>(content.problem());
    if (!written)
        report(MessageKind::error, QStringLiteral("save"), written.problem());
    else
        m_page->say(tr("Saved as %1").arg(file));
    return written.ok();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!isRunning()) {
        event->accept();
        return;
    }
    // The runner saves and ends its servers when the pipe closes; the window stays until it has, at most 25 s.
    event->ignore();
    m_closing = true;
    m_session->leave();
    m_page->say(tr("Closing, saving what was measured"));
    updateActions();
}

} // namespace lapbench
