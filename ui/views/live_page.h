#pragma once

#include "core/plan/plan.h"
#include "core/result/session_result.h"
#include "ui/bridge/live_session.h"
#include "ui/charts/latency_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/models/comparison_model.h"
#include "ui/models/session_progress.h"
#include "ui/models/trial_queue_model.h"
#include "ui/views/gauge.h"
#include "ui/views/noise_strip.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QWidget>

#include <set>

namespace lapbench {

/// A session as it runs: queue, live charts, gauges, the tables filling in, the servers' output. Draws what the events
/// say, at most kRedrawsASecond times a second; measures nothing. GUI thread.
class LivePage : public QWidget {
    Q_OBJECT

public:
    /// `choosing` stands above the queue.
    explicit LivePage(QWidget* choosing, QWidget* parent = nullptr);

    /// Starts anew for a plan as it will run: chosen and scaled, with its A/A control.
    void expect(const Plan& plan);
    /// The session is about to start: what was shown of the last one goes.
    void begin();
    void handle(const SessionEvent& event);
    void end(const LiveSessionEnd& end);
    /// What a saved session found; `plan` is the one it ran.
    void showResult(const SessionResult& result, const Plan& plan);
    /// No event tells them: they come with the result.
    void showColdStarts(std::vector<ColdStarts> all);

    void say(const QString& text);
    const ComparisonModel& comparison() const { return *m_comparison; }

    static constexpr int kRedrawsASecond = 4;
    static constexpr int kMostOutputLines = 5000;

signals:
    void warned(const lapbench::Warning& warning);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(QWidget* choosing);
    QWidget* buildLeft(QWidget* choosing);
    QWidget* buildCharts();
    QWidget* buildTabs();
    QWidget* buildComparison();
    QTableView* buildTable(const QString& objectName, const QString& accessibleName);
    void setTargets(const Plan& plan);

    void on(const SessionStarted& event);
    void on(const TrialStarted& event);
    void on(const PhaseChanged& event);
    void on(const LiveInterval& event);
    void on(const TrialFinished& event);
    void on(const WarningRaised& event);
    void on(const LogLine& event);
    void on(const RoundFinished& event);
    void on(const SessionFinished&) {}
    void on(const SessionFailed&) {}
    void on(const UnknownEvent&) {}

    const ShownTarget& targetNamed(const QString& name);
    std::vector<QueuedTrial> queued(const std::vector<TrialPlan>& trials) const;
    void showSentence();
    void keepFinishedCurve();
    void showFiguresOf(const Trial& trial);
    void redrawSoon();
    void redraw();
    void drawProgress();
    void drawGauges();
    void flushOutput();
    void fitColumns();
    void copyTable(const QTableView* table);
    double now() const { return static_cast<double>(m_clock.elapsed()) / 1000.0; }

    ComparisonModel* m_comparison;
    TrialQueueModel* m_queue;
    SessionProgress m_progress;
    std::vector<ShownTarget> m_targets;
    Plan m_plan;         ///< as it will run
    double m_window = 0; ///< planned seconds of a trial's window; 0: by count

    bool m_live = false;
    TrialStarted m_trial;
    LiveSeries m_series;
    QString m_doubt; ///< of the trial on the charts, see RateCurve
    std::vector<RateCurve> m_finished;
    std::optional<LiveInterval> m_last;
    std::optional<double> m_peakRss;
    double m_largestRss = 0;
    std::uint64_t m_answers = 0, m_errors = 0;
    std::vector<Warning> m_lastWarnings; ///< of the last trial: they are told again, one by one
    std::set<std::string> m_told;        ///< which doubts of which targets were shown
    QStringList m_pendingOutput;
    qsizetype m_droppedOutput = 0;

    QElapsedTimer m_clock;
    QTimer m_redraw;
    QProgressBar* m_bar = nullptr;
    QLabel* m_label = nullptr;
    QListView* m_queueView = nullptr;
    RateChart* m_rate = nullptr;
    NoiseStrip* m_noise = nullptr;
    LatencyChart* m_latency = nullptr;
    Gauge *m_cpu = nullptr, *m_rss = nullptr, *m_generator = nullptr, *m_failed = nullptr;
    QTabWidget* m_tabs = nullptr;
    QLabel* m_sentence = nullptr;
    QTableView* m_table = nullptr;
    QTableView* m_servers = nullptr; ///< the same rows: what the servers took for it
    QPlainTextEdit* m_output = nullptr;
};

} // namespace lapbench
