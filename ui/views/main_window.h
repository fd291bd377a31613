#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/session/session.h"
#include "ui/bridge/live_session.h"
#include "ui/bridge/plan_choice.h"
#include "ui/views/live_page.h"
#include "ui/views/message_bar.h"
#include "ui/views/plan_form.h"

#include <QAction>
#include <QLabel>
#include <QMainWindow>

#include <filesystem>
#include <optional>

namespace lapbench {

class FileDrop;

/// The window: opens a plan or a saved result, lets choose what runs, and runs it as a child `lapbench-cli`. GUI
/// thread.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `places.program` is lapbench-cli; empty where it was not found.
    explicit MainWindow(const SessionPlaces& places, QWidget* parent = nullptr);

    /// A plan's file, a shipped plan's name, a saved result, a picture that carries one, or the output of another tool.
    /// What is wrong with it goes into the message bar.
    bool open(const QString& nameOrFile, double scale = 1);
    /// Starts the chosen part of the plan; asks first where something must be installed.
    void startSession();
    void stopSession();
    /// Saves the last result, of a picture the one that it carries. Problems go into the message bar.
    bool saveResultTo(const QString& file);

    bool isRunning() const { return m_session->active(); }
    /// What the message bar says now, one message a line.
    QString messages() const { return m_messages->text(); }

signals:
    void sessionEnded(const lapbench::LiveSessionEnd& end);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildToolBar();
    void applyPalette();
    bool openPlan(const QString& nameOrFile, double scale);
    bool openResult(const QString& file);
    void showPlan(const Plan& plan);
    void showExpected();
    void run(const PlanChoice& choice, bool install);
    void handleEnd(const LiveSessionEnd& end);
    void showColdStarts();
    void updateActions();
    void warn(const Warning& warning);
    void report(MessageKind kind, const QString& key, const Problem& problem);
    void chooseFile();
    void openDropped(const QString& file, int others);
    void chooseDestination();

    SessionPlaces m_places;
    std::optional<Plan> m_plan;
    std::filesystem::path m_planFile;
    QString m_result;
    bool m_closing = false;

    LiveSession* m_session;
    PlanForm* m_form;
    LivePage* m_page;
    MessageBar* m_messages;
    QLabel* m_title;
    FileDrop* m_drop = nullptr;
    QAction *m_open, *m_save, *m_start, *m_stop;
};

} // namespace lapbench
