#include "ui/views/plan_form.h"

#include "core/base/units.h"
#include "core/plan/fields.h"
#include "core/plan/schedule.h"
#include "ui/models/number_format.h"
#include "ui/views/target_delegate.h"

#include <QFormLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace lapbench {

namespace {

QString helpOf(FieldScope scope, const char* key)
{
    const Field* field = findField(scope, key);
    if (!field)
        return {};
    const std::string range = formatRange(*field);
    const QString help = QString::fromUtf8(field->help.data(), static_cast<qsizetype>(field->help.size()));
    return range.empty() ? help : help + QStringLiteral(" (%1)").arg(QString::fromStdString(range));
}

void name(QWidget* widget, const QString& objectName, const QString& accessibleName, const QString& help)
{
    widget->setObjectName(objectName);
    widget->setAccessibleName(accessibleName);
    widget->setToolTip(help);
}

} // namespace

PlanForm::PlanForm(QWidget* parent)
    : QWidget(parent), m_targets(new TargetModel(this)), m_targetList(new QListView(this)),
      m_connections(new QLineEdit(this)), m_duration(new QLineEdit(this)), m_rounds(new QSpinBox(this)),
      m_scale(new QDoubleSpinBox(this)), m_scaled(new QLabel(this))
{
    name(m_targetList, QStringLiteral("targetList"), tr("Targets"), {});
    name(m_connections, QStringLiteral("connectionsEdit"), tr("Connections"), helpOf(FieldScope::load, "connections"));
    name(m_duration, QStringLiteral("durationEdit"), tr("Duration or requests"),
         tr("A time with its unit, like 30s, or a number of requests, like 100k"));
    name(m_rounds, QStringLiteral("roundsSpin"), tr("Rounds"), helpOf(FieldScope::plan, "rounds"));
    name(m_scale, QStringLiteral("scaleSpin"), tr("Scale"),
         tr("Shrinks windows, warm-ups and request counts; never connections or rounds. The result says so"));

    m_targetList->setModel(m_targets);
    m_targetList->setItemDelegate(new TargetDelegate(m_targetList));
    m_targetList->setFrameShape(QFrame::NoFrame);
    m_targetList->viewport()->setAutoFillBackground(false);
    m_targetList->setSelectionMode(QAbstractItemView::NoSelection);
    m_targetList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const Field* rounds = findField(FieldScope::plan, "rounds");
    const std::uint64_t mostRounds = rounds && rounds->max ? rounds->max : std::numeric_limits<int>::max();
    m_rounds->setRange(1, static_cast<int>(std::min<std::uint64_t>(mostRounds, std::numeric_limits<int>::max())));
    m_scale->setRange(0.001, 1);
    m_scale->setValue(1);
    m_scale->setDecimals(3);
    m_scale->setSingleStep(0.1);
    m_scale->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);

    auto* fields = new QFormLayout;
    fields->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    fields->setContentsMargins(12, 4, 12, 8);
    fields->setHorizontalSpacing(12);
    fields->setVerticalSpacing(4);
    fields->addRow(tr("&Connections"), m_connections);
    fields->addRow(tr("&Duration"), m_duration);
    fields->addRow(tr("&Rounds"), m_rounds);
    fields->addRow(tr("S&cale"), m_scale);
    m_scaled->setForegroundRole(QPalette::PlaceholderText);
    m_scaled->setWordWrap(true);
    fields->addRow(QString(), m_scaled);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* list = new QHBoxLayout;
    list->setContentsMargins(8, 0, 8, 0);
    list->addWidget(m_targetList);
    layout->addLayout(list);
    layout->addLayout(fields);

    connect(m_targets, &TargetModel::dataChanged, this,
            [this](const QModelIndex&, const QModelIndex&, const QList<int>& roles) {
                if (!roles.contains(Qt::CheckStateRole))
                    return;
                showDefaultRounds();
                emit changed();
            });
    connect(m_connections, &QLineEdit::textEdited, this, &PlanForm::changed);
    connect(m_duration, &QLineEdit::textChanged, this, &PlanForm::showWindow);
    connect(m_duration, &QLineEdit::textEdited, this, &PlanForm::changed);
    connect(m_rounds, &QSpinBox::valueChanged, this, [this] {
        m_roundsChosen = true;
        emit changed();
    });
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, &PlanForm::showWindow);
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, &PlanForm::changed);
}

void PlanForm::setPlan(const Plan& plan)
{
    const QSignalBlocker quiet(this);
    m_plan = plan;
    const PlanChoice choice = choiceOf(plan);
    m_targets->reset(shownTargets(plan), choice.selected);
    const int shown = std::clamp(m_targets->rowCount(), 1, 6);
    m_targetList->setFixedHeight(shown * std::max(m_targetList->sizeHintForRow(0), 1) + 2);
    m_connections->setText(formatConnections(choice.connections));
    m_duration->setText(formatExtent(choice.measure));
    const bool untilNarrow = plan.untilCi && !plan.rounds;
    m_rounds->setMinimum(untilNarrow ? 0 : 1);
    m_rounds->setSpecialValueText(untilNarrow ? tr("until ± %1 %").arg(figureText(*plan.untilCi * 100)) : QString());
    m_rounds->setPrefix(plan.untilCi ? tr("at most ") : QString());
    m_rounds->setValue(static_cast<int>(choice.rounds.value_or(0)));
    m_roundsChosen = plan.rounds || plan.untilCi;
    m_scale->setValue(choice.scale);
    showWindow();
}

void PlanForm::showDefaultRounds()
{
    if (m_roundsChosen)
        return;
    Plan chosen = m_plan;
    for (std::size_t i = 0; i < chosen.targets.size(); ++i)
        chosen.targets[i].selected =
            m_targets->index(static_cast<int>(i)).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const QSignalBlocker quiet(m_rounds);
    m_rounds->setValue(static_cast<int>(choiceOf(chosen).rounds.value_or(0)));
}

void PlanForm::showWindow()
{
    const auto extent = parseExtent(m_duration->text());
    if (!extent || m_scale->value() >= 1) {
        m_scaled->clear();
        m_scaled->hide();
        return;
    }
    Plan scaled;
    scaled.measure = extent.value();
    if (!applyScale(scaled, m_scale->value()))
        return;
    m_scaled->setText(scaled.measure.duration ? tr("measures %1 a trial").arg(formatExtent(scaled.measure))
                                              : tr("measures %1 requests a trial").arg(formatExtent(scaled.measure)));
    m_scaled->show();
}

PlanChoice PlanForm::choice(Problems& problems) const
{
    PlanChoice choice;
    for (int row = 0; row < m_targets->rowCount(); ++row)
        choice.selected.push_back(m_targets->index(row).data(Qt::CheckStateRole).toInt() == Qt::Checked);
    if (m_rounds->value() > 0)
        choice.rounds = static_cast<unsigned>(m_rounds->value());
    choice.scale = m_scale->value();
    const auto connections = parseConnections(m_connections->text());
    const auto measure = parseExtent(m_duration->text());
    if (connections)
        choice.connections = connections.value();
    else
        problems.push_back(connections.problem());
    if (measure)
        choice.measure = measure.value();
    else
        problems.push_back(measure.problem());
    if (connections && measure) {
        const Problems more = checkChoice(choice);
        problems.insert(problems.end(), more.begin(), more.end());
    }
    return choice;
}

void PlanForm::setEditable(bool editable)
{
    m_targets->setEditable(editable);
    for (QWidget* widget : {static_cast<QWidget*>(m_connections), static_cast<QWidget*>(m_duration),
                            static_cast<QWidget*>(m_rounds), static_cast<QWidget*>(m_scale)})
        widget->setEnabled(editable);
}

} // namespace lapbench
