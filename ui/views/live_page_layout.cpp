#include "ui/models/verdict_text.h"
#include "ui/style/theme.h"
#include "ui/views/live_page.h"
#include "ui/views/target_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lapbench {

namespace {

constexpr int kWidestGap = 24;

QLabel* sectionTitle(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    label->setContentsMargins(12, 8, 12, 4);
    return label;
}

void name(QWidget* widget, const QString& objectName, const QString& accessibleName)
{
    widget->setObjectName(objectName);
    widget->setAccessibleName(accessibleName);
}

QSplitter* quietSplitter(Qt::Orientation orientation, QWidget* parent)
{
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setHandleWidth(4);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Whether a column that tells rows apart is needed for it.
bool tellsApart(const ComparisonModel& model, int column)
{
    return column == ComparisonModel::Target || (column == ComparisonModel::Workload && model.hasSeveralWorkloads()) ||
           (column == ComparisonModel::Connections && model.hasSeveralLevels());
}

/// What only some plans measure has a column only there.
bool isMeasured(const ComparisonModel& model, const Plan& plan, int column)
{
    if (column == ComparisonModel::Steady)
        return model.looksForSteady();
    return column < ComparisonModel::ColdStartCount || plan.coldStarts > 0 || model.hasColdStarts();
}

/// Shares what is left of the width between the columns.
void spreadColumns(QTableView* table)
{
    const QHeaderView* header = table->horizontalHeader();
    const int shown = header->count() - header->hiddenSectionCount();
    const int spare = table->viewport()->width() - header->length();
    const int gap = std::clamp(spare / std::max(shown, 1), 0, kWidestGap);
    for (int column = 0; column < header->count(); ++column) {
        if (!table->isColumnHidden(column))
            table->setColumnWidth(column, table->columnWidth(column) + gap);
    }
}

} // namespace

LivePage::LivePage(QWidget* choosing, QWidget* parent)
    : QWidget(parent), m_comparison(new ComparisonModel(this)), m_queue(new TrialQueueModel(this))
{
    m_clock.start();
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(1000 / kRedrawsASecond);
    connect(&m_redraw, &QTimer::timeout, this, &LivePage::redraw);
    build(choosing);
    drawGauges();
}

void LivePage::build(QWidget* choosing)
{
    m_bar = new QProgressBar(this);
    name(m_bar, QStringLiteral("progressBar"), tr("Progress of the session"));
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(4);
    m_bar->setStyleSheet(QStringLiteral("QProgressBar { border: 0; background: palette(midlight); }"
                                        "QProgressBar::chunk { background: palette(highlight); }"));
    m_label = new QLabel(this);
    name(m_label, QStringLiteral("progressLabel"), tr("Progress"));
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setContentsMargins(12, 0, 12, 4);
    m_label->setMinimumWidth(1);

    auto* lower = quietSplitter(Qt::Vertical, this);
    lower->addWidget(buildCharts());
    lower->addWidget(buildTabs());
    lower->setStretchFactor(0, 3);
    lower->setStretchFactor(1, 2);
    lower->setSizes({400, 300});
    auto* across = quietSplitter(Qt::Horizontal, this);
    across->addWidget(buildLeft(choosing));
    across->addWidget(lower);
    across->setStretchFactor(0, 0);
    across->setStretchFactor(1, 1);
    across->setSizes({288, 992});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_bar);
    layout->addWidget(m_label);
    layout->addWidget(across, 1);
}

QWidget* LivePage::buildLeft(QWidget* choosing)
{
    auto* left = new QWidget(this);
    left->setMinimumWidth(240);
    m_queueView = new QListView(left);
    name(m_queueView, QStringLiteral("trialQueue"), tr("Trials of the session"));
    m_queueView->setModel(m_queue);
    m_queueView->setItemDelegate(new QueueDelegate(m_queueView));
    m_queueView->setFrameShape(QFrame::NoFrame);
    m_queueView->viewport()->setAutoFillBackground(false);
    m_queueView->setUniformItemSizes(true);
    m_queueView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_queueView->setMinimumHeight(80);
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sectionTitle(tr("Targets"), left));
    choosing->setParent(left);
    layout->addWidget(choosing);
    layout->addWidget(sectionTitle(tr("Queue"), left));
    layout->addWidget(m_queueView, 1);
    return left;
}

QWidget* LivePage::buildCharts()
{
    auto* page = new QWidget(this);
    m_rate = new RateChart(page);
    m_rate->setInvitation(tr("Open a plan to begin"));
    name(m_rate, QStringLiteral("rpsChart"), tr("Requests per second over time"));
    m_latency = new LatencyChart(page);
    name(m_latency, QStringLiteral("latencyChart"), tr("Latency over time"));
    for (ChartPanel* chart : {static_cast<ChartPanel*>(m_rate), static_cast<ChartPanel*>(m_latency)})
        connect(chart, &ChartPanel::summaryChanged, chart, &QWidget::setAccessibleDescription);
    m_noise = new NoiseStrip(m_rate, page);
    name(m_noise, QStringLiteral("noiseStrip"), tr("Noise of the machine over time"));
    auto* rates = new QWidget(page);
    auto* above = new QVBoxLayout(rates);
    above->setContentsMargins(0, 0, 0, 0);
    above->setSpacing(0);
    above->addWidget(m_rate, 1);
    above->addWidget(m_noise);
    auto* charts = quietSplitter(Qt::Vertical, page);
    charts->addWidget(rates);
    charts->addWidget(m_latency);

    m_cpu = new Gauge(tr("Server CPU"), page);
    m_cpu->setObjectName(QStringLiteral("cpuGauge"));
    m_rss = new Gauge(tr("Server memory (RSS)"), page);
    m_rss->setObjectName(QStringLiteral("rssGauge"));
    m_generator = new Gauge(tr("Generator CPU"), page);
    m_generator->setObjectName(QStringLiteral("generatorGauge"));
    m_failed = new Gauge(tr("Errors"), page);
    m_failed->setObjectName(QStringLiteral("errorsGauge"));
    auto* column = new QWidget(page);
    column->setBackgroundRole(QPalette::Base);
    column->setAutoFillBackground(true);
    auto* gauges = new QVBoxLayout(column);
    gauges->setContentsMargins(0, 0, 0, 0);
    gauges->setSpacing(0);
    for (Gauge* gauge : {m_cpu, m_rss, m_generator, m_failed})
        gauges->addWidget(gauge);
    gauges->addStretch(1);

    auto* layout = new QHBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(charts, 1);
    layout->addWidget(column);
    return page;
}

QTableView* LivePage::buildTable(const QString& objectName, const QString& accessibleName)
{
    auto* table = new QTableView(this);
    name(table, objectName, accessibleName);
    table->setModel(m_comparison);
    table->setItemDelegate(new TargetDelegate(table));
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setFont(tabularFont(table->font()));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(28);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* copy = new QAction(tr("Copy table"), table);
    copy->setObjectName(QStringLiteral("copyTableAction"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this, table] { copyTable(table); });
    table->addAction(copy);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    table->viewport()->installEventFilter(this);
    return table;
}

QWidget* LivePage::buildComparison()
{
    m_table = buildTable(QStringLiteral("comparisonTable"), tr("Comparison of the targets"));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LivePage::showSentence);
    connect(m_comparison, &QAbstractItemModel::dataChanged, this, &LivePage::showSentence);
    connect(m_comparison, &QAbstractItemModel::modelReset, this, &LivePage::showSentence);

    m_sentence = new QLabel(this);
    name(m_sentence, QStringLiteral("verdictSentence"), tr("What the comparison shows"));
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    m_sentence->setFont(large);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setContentsMargins(12, 8, 12, 8);
    m_sentence->setBackgroundRole(QPalette::Base);
    m_sentence->setAutoFillBackground(true);
    auto* comparison = new QWidget(this);
    auto* stacked = new QVBoxLayout(comparison);
    stacked->setContentsMargins(0, 0, 0, 0);
    stacked->setSpacing(0);
    stacked->addWidget(m_sentence);
    stacked->addWidget(m_table, 1);
    return comparison;
}

QWidget* LivePage::buildTabs()
{
    QWidget* comparison = buildComparison();
    m_servers = buildTable(QStringLiteral("serversTable"), tr("Warm-up, efficiency and memory of the servers"));

    m_output = new QPlainTextEdit(this);
    name(m_output, QStringLiteral("serverOutput"), tr("Output of the servers"));
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostOutputLines);
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_output->setUndoRedoEnabled(false);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_output->setPlaceholderText(tr("What the servers and lapbench-cli print stands here."));

    m_tabs = new QTabWidget(this);
    name(m_tabs, QStringLiteral("pageTabs"), tr("Comparison, servers and their output"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(comparison, tr("Comparison"));
    m_tabs->addTab(m_servers, tr("Warm-up, efficiency, memory"));
    m_tabs->addTab(m_output, tr("Server output"));
    return m_tabs;
}

void LivePage::showSentence()
{
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    const QString sentence = m_comparison->sentence(selected.isEmpty() ? -1 : selected.first().row());
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void LivePage::fitColumns()
{
    for (int column = 0; column < ComparisonModel::ColumnCount; ++column) {
        const bool ofRow = column <= ComparisonModel::Connections, ofServers = column >= ComparisonModel::Steady;
        const bool needed = tellsApart(*m_comparison, column), measured = isMeasured(*m_comparison, m_plan, column);
        m_table->setColumnHidden(column, ofRow ? !needed : ofServers);
        m_servers->setColumnHidden(column, ofRow ? !needed : !ofServers || !measured);
    }
    m_table->resizeColumnsToContents();
    const int widestLimit = m_table->fontMetrics().horizontalAdvance(limitText(Limit::generator)) + kWidestGap;
    m_table->setColumnWidth(ComparisonModel::Limit,
                            std::min(m_table->columnWidth(ComparisonModel::Limit), widestLimit));
    spreadColumns(m_table);
    m_servers->resizeColumnsToContents();
    spreadColumns(m_servers);
}

bool LivePage::eventFilter(QObject* watched, QEvent* event)
{
    const bool ofTable = m_servers && (watched == m_table->viewport() || watched == m_servers->viewport());
    if (ofTable && event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

void LivePage::copyTable(const QTableView* table)
{
    std::vector<int> columns;
    for (int column = 0; column < ComparisonModel::ColumnCount; ++column) {
        if (!table->isColumnHidden(column))
            columns.push_back(column);
    }
    QGuiApplication::clipboard()->setText(m_comparison->asText(columns));
}

} // namespace lapbench
