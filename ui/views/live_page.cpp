#include "ui/views/live_page.h"

#include "core/host/host_info.h"
#include "core/plan/schedule.h"
#include "ui/models/number_format.h"
#include "ui/models/verdict_text.h"

#include <QScrollBar>

#include <algorithm>

namespace lapbench {

namespace {

/// Faint curves behind the running one need no more points than this.
constexpr std::size_t kFinishedPoints = 60;

std::vector<QString> workloadNames(const Plan& plan)
{
    std::vector<QString> names;
    for (const Workload& workload : plan.workloads)
        names.push_back(QString::fromStdString(workload.name));
    return names;
}

} // namespace

void LivePage::setTargets(const Plan& plan)
{
    m_targets = shownTargets(plan);
    std::vector<ShownTarget> running;
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        if (plan.targets[i].selected)
            running.push_back(m_targets[i]);
    }
    m_plan = plan;
    m_comparison->reset(running, workloadNames(plan), levelsOf(plan.load), {roundsOf(plan), mostRoundsOf(plan)});
    m_window = plan.measure.duration ? std::chrono::duration<double>(*plan.measure.duration).count() : 0;
}

std::vector<QueuedTrial> LivePage::queued(const std::vector<TrialPlan>& trials) const
{
    std::vector<QueuedTrial> queue;
    for (const TrialPlan& trial : trials)
        queue.push_back({m_targets[trial.target],
                         QString::fromStdString(m_plan.workloads[trial.workload].name),
                         trial.level,
                         trial.round,
                         TrialState::waiting,
                         {},
                         {},
                         trial.attempt});
    return queue;
}

void LivePage::expect(const Plan& plan)
{
    setTargets(plan);
    m_queue->reset(queued(makeSchedule(plan)));
    m_series = LiveSeries();
    m_doubt.clear();
    m_lastWarnings.clear();
    m_told.clear();
    m_finished.clear();
    m_last.reset();
    m_peakRss.reset();
    m_largestRss = 0;
    m_answers = m_errors = 0;
    m_progress = SessionProgress();
    m_trial = TrialStarted();
    m_rate->setInvitation(tr("Press Start to run the plan"));
    m_rate->clear();
    m_latency->clear();
    m_rate->setCurrent({}, m_window);
    m_latency->setCurve({}, 0, m_window);
    m_noise->setPoints({});
    drawGauges();
    m_bar->setValue(0);
    const double seconds = std::chrono::duration<double>(estimateSession(plan)).count();
    say(tr("Trials: %1 · takes %2").arg(m_queue->rowCount()).arg(timeLeftText(seconds)));
    fitColumns();
}

void LivePage::begin()
{
    m_output->clear();
    m_pendingOutput.clear();
    m_droppedOutput = 0;
    m_live = true;
    m_rate->setLive(true);
    m_latency->setLive(true);
    m_rate->setInvitation(tr("Waiting for the first answers"));
    say(tr("Starting"));
}

void LivePage::handle(const SessionEvent& event)
{
    std::visit([this](const auto& each) { on(each); }, event);
    redrawSoon();
}

void LivePage::on(const SessionStarted& event)
{
    m_progress.begin(event, now());
}

void LivePage::on(const TrialStarted& event)
{
    keepFinishedCurve();
    m_trial = event;
    m_series = LiveSeries();
    m_doubt.clear();
    m_last.reset();
    m_peakRss.reset();
    m_answers = m_errors = 0;
    m_progress.trialStarted(event, now());
    // Rounds that until_ci adds, and those run again, are not in the schedule.
    if (event.round > 0 && !m_queue->has(event.round, event.attempt))
        m_queue->insert(event.index, queued(makeRound(m_plan, event.round, event.attempt, event.index)));
    m_queue->start(event, targetNamed(event.target));
    m_progress.growTo(static_cast<std::size_t>(m_queue->rowCount()));
    if (const int row = m_queue->runningRow(); row >= 0)
        m_queueView->scrollTo(m_queue->index(row), QAbstractItemView::PositionAtCenter);
}

void LivePage::on(const PhaseChanged& event)
{
    m_progress.setPhase(event.name);
}

void LivePage::on(const LiveInterval& event)
{
    m_series.add(event);
    if (!event.isTooShort())
        m_last = event;
    m_answers += event.ok + event.failed;
    m_errors += event.failed;
    if (event.serverRssBytes) {
        m_peakRss = std::max(m_peakRss.value_or(0), *event.serverRssBytes);
        m_largestRss = std::max(m_largestRss, *event.serverRssBytes);
    }
}

void LivePage::on(const TrialFinished& event)
{
    m_progress.trialFinished(now());
    m_queue->finish(event);
    m_comparison->addTrial(event.trial);
    m_queue->markSuperseded(m_comparison->trials());
    m_lastWarnings = event.trial.warnings;
    m_doubt = doubtOf(event.trial);
    fitColumns();
}

void LivePage::on(const RoundFinished& event)
{
    m_comparison->setComparisons(event.comparisons);
    fitColumns();
}

void LivePage::on(const WarningRaised& event)
{
    Warning warning = event.warning;
    const bool ofTrial = std::any_of(m_lastWarnings.begin(), m_lastWarnings.end(), [&](const Warning& other) {
        return other.code == warning.code && other.text == warning.text;
    });
    if (ofTrial) {
        const ShownTarget& target = targetNamed(m_trial.target);
        if (!m_told.insert(warning.code + ' ' + target.name.toStdString()).second)
            return;
        warning.text = tr("%1, round %2: %3")
                           .arg(target.label, QString::number(m_trial.round), QString::fromStdString(warning.text))
                           .toStdString();
        warning.evidence.clear(); // the table has the trial's figures, the limit's reason with them
    }
    emit warned(warning);
}

void LivePage::on(const LogLine& event)
{
    const QString line = event.source.isEmpty() ? event.line : event.source + QStringLiteral("  ") + event.line;
    m_pendingOutput.append(line);
    if (event.source == QLatin1String("install"))
        say(tr("Installing · %1").arg(event.line));
    if (m_pendingOutput.size() > kMostOutputLines) {
        m_pendingOutput.removeFirst();
        ++m_droppedOutput;
    }
}

const ShownTarget& LivePage::targetNamed(const QString& name)
{
    const auto found = std::find_if(m_targets.begin(), m_targets.end(),
                                    [&name](const ShownTarget& target) { return target.name == name; });
    if (found != m_targets.end())
        return *found;
    m_targets.push_back({name, name, {}, static_cast<int>(m_targets.size())});
    return m_targets.back();
}

void LivePage::keepFinishedCurve()
{
    if (m_series.empty())
        return;
    const ShownTarget& target = targetNamed(m_trial.target);
    std::erase_if(m_finished, [&target](const RateCurve& curve) { return curve.targetIndex == target.index; });
    m_finished.push_back({m_series.drawn(kFinishedPoints), target.index, target.label, m_doubt});
    m_rate->setFinished(m_finished);
}

void LivePage::end(const LiveSessionEnd& end)
{
    m_redraw.stop();
    m_queue->close();
    m_live = false;
    redraw();
    m_rate->setLive(false);
    m_latency->setLive(false);
    const auto finished = static_cast<int>(m_queue->finished());
    if (m_plan.untilCi && end.exitCode == 0)
        m_comparison->setRounds({m_trial.round, m_trial.round});
    if (end.exitCode == 0)
        m_queue->dropWaiting();
    if (!end.started || (end.exitCode != 0 && end.exitCode != 130 && end.exitCode != 3)) {
        say(tr("Failed"));
        return;
    }
    const QString saved = end.result.isEmpty() ? tr("nothing saved") : tr("saved as %1").arg(end.result);
    if (end.exitCode == 130) {
        say(tr("Stopped · %1 of %2 trials · %3").arg(finished).arg(m_queue->rowCount()).arg(saved));
        return;
    }
    m_bar->setValue(m_bar->maximum());
    say(tr("Done · trials: %1 · %2").arg(finished).arg(saved));
}

void LivePage::showResult(const SessionResult& result, const Plan& plan)
{
    setTargets(plan);
    std::vector<QueuedTrial> queue;
    m_finished.clear();
    m_series = LiveSeries();
    m_last.reset();
    m_peakRss.reset();
    m_largestRss = 0;
    for (const Trial& trial : result.trials) {
        queue.push_back({targetNamed(QString::fromStdString(trial.target)),
                         QString::fromStdString(trial.workload),
                         trial.level,
                         trial.round,
                         TrialState::running,
                         {},
                         {},
                         trial.attempt});
    }
    m_queue->reset(std::move(queue));
    for (std::size_t i = 0; i < result.trials.size(); ++i) {
        const Trial& trial = result.trials[i];
        m_queue->finish({i, trial});
        LiveSeries series = LiveSeries::fromTrial(trial);
        if (series.empty() || trial.superseded)
            continue;
        keepFinishedCurve();
        m_doubt = doubtOf(trial);
        m_trial.target = QString::fromStdString(trial.target);
        m_series = std::move(series);
        showFiguresOf(trial);
    }
    m_comparison->setResult(result, m_targets);
    if (m_series.empty())
        m_rate->setInvitation(tr("This result has no figures over time"));
    m_live = false;
    redraw();
    fitColumns();
    m_bar->setValue(m_bar->maximum());
    const QString made = QString::fromStdString(formatUtc(result.created)).section(QLatin1Char('.'), 0, 0);
    QStringList tools;
    for (const std::string& tool : result.measuredBy())
        tools << QString::fromStdString(tool);
    const bool foreign = !tools.isEmpty() && tools != QStringList{QStringLiteral("lapbench")};
    say(tr("Saved result · trials: %1 · %2 UTC%3%4")
            .arg(QString::number(m_queue->rowCount()), QString(made).replace(QLatin1Char('T'), QLatin1Char(' ')),
                 foreign ? tr(" · measured by %1").arg(tools.join(QStringLiteral(", "))) : QString(),
                 result.complete ? QString() : tr(" · not complete, read from the journal")));
}

void LivePage::showColdStarts(std::vector<ColdStarts> all)
{
    m_comparison->setColdStarts(std::move(all));
    fitColumns();
}

void LivePage::showFiguresOf(const Trial& trial)
{
    const auto number = [](const auto& value) {
        return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    };
    LiveInterval means;
    means.serverCpuCores = trial.server.cpuCoresMean;
    means.serverRssBytes = number(trial.server.rssBytesMean);
    means.generatorCpuCores = trial.load.generatorCpuCores;
    m_last = means;
    m_peakRss = number(trial.server.rssBytesPeak);
    m_largestRss = std::max(m_largestRss, m_peakRss.value_or(0));
    m_answers = trial.load.completed();
    m_errors = trial.load.failed;
}

void LivePage::say(const QString& text)
{
    m_label->setText(text);
    m_label->setToolTip(text);
}

void LivePage::redrawSoon()
{
    if (!m_redraw.isActive())
        m_redraw.start();
}

void LivePage::redraw()
{
    const ShownTarget target = m_trial.target.isEmpty() ? ShownTarget() : targetNamed(m_trial.target);
    const std::vector<LivePoint> points = m_series.drawn();
    m_rate->setCurrent({points, target.index, target.label, m_doubt}, m_window);
    m_noise->setPoints(points);
    m_latency->setCurve(points, target.index, m_window, m_doubt);
    drawGauges();
    if (m_live)
        drawProgress();
    flushOutput();
}

void LivePage::drawProgress()
{
    if (m_progress.trials() == 0)
        return;
    m_bar->setValue(static_cast<int>(m_progress.fraction(now()) * m_bar->maximum()));
    QStringList parts;
    if (!m_trial.target.isEmpty()) {
        parts << (m_plan.untilCi ? tr("Trial %1 of at least %2") : tr("Trial %1 of %2"))
                     .arg(m_trial.index + 1)
                     .arg(m_progress.trials())
              << targetNamed(m_trial.target).label << levelText(m_trial.level)
              << (m_trial.attempt > 1 ? tr("round %1 again") : tr("round %1")).arg(m_trial.round);
    }
    const bool measuring = m_progress.phase() == QLatin1String("measure") && m_last && m_last->t >= 0 && m_window > 0;
    if (measuring)
        parts << tr("measuring %1 of %2 s").arg(figureText(std::min(m_last->t, m_window)), figureText(m_window));
    else if (!m_progress.phase().isEmpty())
        parts << phaseText(m_progress.phase());
    if (const auto left = m_progress.secondsLeft(now()))
        parts << (m_plan.untilCi ? tr("%1 or more left") : tr("%1 left")).arg(timeLeftText(*left));
    say(parts.join(QStringLiteral(" · ")));
}

void LivePage::drawGauges()
{
    static const unsigned cpus = readHostInfo().cpus.value_or(1);
    const QString ofCores = tr("cores, of %1").arg(cpus);
    const auto coreShare = [](std::optional<double> cores) {
        return cores ? std::optional(*cores / cpus) : std::nullopt;
    };
    const auto serverCpu = m_last ? m_last->serverCpuCores : std::nullopt;
    const auto generatorCpu = m_last ? m_last->generatorCpuCores : std::nullopt;
    const auto rss = m_last ? m_last->serverRssBytes : std::nullopt;
    m_cpu->setFigure(figureText(serverCpu), ofCores, coreShare(serverCpu).value_or(0));
    m_generator->setFigure(figureText(generatorCpu), ofCores, coreShare(generatorCpu).value_or(0));
    m_rss->setFigure(bytesText(rss), tr("peak %1").arg(bytesText(m_peakRss)),
                     rss && m_largestRss > 0 ? *rss / m_largestRss : 0);
    m_failed->setFigure(m_last ? countText(static_cast<double>(m_errors)) : missingFigure(),
                        tr("of %1 answers").arg(m_last ? rateText(static_cast<double>(m_answers)) : missingFigure()));
    m_failed->setAlarming(m_errors > 0);
}

void LivePage::flushOutput()
{
    if (m_pendingOutput.isEmpty())
        return;
    const bool atEnd = m_output->verticalScrollBar()->value() == m_output->verticalScrollBar()->maximum();
    if (m_droppedOutput > 0)
        m_output->appendPlainText(tr("(lines left out: %1)").arg(m_droppedOutput));
    m_output->appendPlainText(m_pendingOutput.join(QLatin1Char('\n')));
    m_pendingOutput.clear();
    m_droppedOutput = 0;
    if (atEnd)
        m_output->verticalScrollBar()->setValue(m_output->verticalScrollBar()->maximum());
}

} // namespace lapbench
