#include "ui/models/library_model.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace lapbench {

namespace {

QString joined(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list.join(", ");
}

QDateTime timeOf(const LibraryEntry& entry)
{
    const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(entry.created.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count());
}

/// What a cell is edited as; notes with all their lines.
QString editedText(const LibraryEntry& entry, int column)
{
    switch (column) {
    case LibraryModel::Name:
        return QString::fromStdString(entry.name);
    case LibraryModel::Tags:
        return joined(entry.tags);
    case LibraryModel::Note:
        return QString::fromStdString(entry.notes);
    default:
        return {};
    }
}

QString shownText(const LibraryEntry& entry, int column)
{
    if (column == LibraryModel::Name)
        return QString::fromStdString(entry.name);
    if (!entry.readable())
        return column == LibraryModel::Note ? QString::fromStdString(entry.problem) : QString();
    switch (column) {
    case LibraryModel::Made:
        return QLocale().toString(timeOf(entry), QLocale::ShortFormat);
    case LibraryModel::Targets:
        return joined(entry.targets);
    case LibraryModel::Trials:
        return QLocale().toString(static_cast<qulonglong>(entry.trials));
    case LibraryModel::Note:
        return entry.complete ? QString::fromStdString(entry.notes).simplified() : LibraryModel::tr("did not end");
    default:
        return editedText(entry, column);
    }
}

QVariant sortedBy(const LibraryEntry& entry, int column)
{
    if (column == LibraryModel::Made)
        return timeOf(entry);
    if (column == LibraryModel::Trials)
        return static_cast<qulonglong>(entry.trials);
    return shownText(entry, column);
}

bool isEditable(const LibraryEntry& entry, int column)
{
    return entry.readable() && entry.complete &&
           (column == LibraryModel::Name || column == LibraryModel::Tags || column == LibraryModel::Note);
}

} // namespace

LibraryModel::LibraryModel(const std::filesystem::path& home, QObject* parent)
    : QAbstractTableModel(parent), m_library(home)
{}

void LibraryModel::refresh()
{
    auto entries = m_library.list();
    if (entries)
        reset(std::move(entries).value());
    else
        tell(entries.problem());
}

void LibraryModel::reset(std::vector<LibraryEntry> entries)
{
    beginResetModel();
    m_entries = std::move(entries);
    show();
    endResetModel();
}

void LibraryModel::setQuery(const LibraryQuery& query)
{
    beginResetModel();
    m_query = query;
    show();
    endResetModel();
}

void LibraryModel::show()
{
    m_shown.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (m_query.matches(m_entries[i]))
            m_shown.push_back(i);
}

bool LibraryModel::tell(const Problem& problem)
{
    emit failed(QString::fromStdString(format(problem)));
    return false;
}

bool LibraryModel::removeResult(int row, bool permanently)
{
    if (const auto removed = Library::remove(entryAt(row), permanently); !removed)
        return tell(removed.problem());
    beginRemoveRows({}, row, row);
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(m_shown[static_cast<std::size_t>(row)]));
    show();
    endRemoveRows();
    return true;
}

int LibraryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int LibraryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const LibraryEntry& entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return shownText(entry, index.column());
    case Qt::EditRole:
        return editedText(entry, index.column());
    case Qt::ToolTipRole:
        return entry.readable() ? QString::fromStdString(entry.notes) : QString::fromStdString(entry.problem);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((index.column() == Trials ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case PathRole:
        return QString::fromStdString(entry.path.string());
    case ProblemRole:
        return QString::fromStdString(entry.problem);
    case SortRole:
        return sortedBy(entry, index.column());
    default:
        return {};
    }
}

Result<void> LibraryModel::edit(const LibraryEntry& entry, int column, const QString& text)
{
    if (column == Name) {
        const auto renamed = Library::rename(entry, text.toStdString());
        return renamed ? Result<void>() : Result<void>(renamed.problem());
    }
    if (column == Note)
        return Library::note(entry, text.toStdString());
    std::vector<std::string> tags;
    for (const QString& tag : text.split(',', Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty())
            tags.push_back(tag.trimmed().toStdString());
    return Library::setTags(entry, tags);
}

bool LibraryModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole || !isEditable(entryAt(index.row()), index.column()))
        return false;
    const QString text = value.toString();
    if (text == editedText(entryAt(index.row()), index.column()))
        return true;
    if (const auto edited = edit(entryAt(index.row()), index.column(), text); !edited)
        return tell(edited.problem());
    refresh();
    return true;
}

QVariant LibraryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    const QString headers[] = {tr("Made"), tr("Name"), tr("Targets"), tr("Trials"), tr("Tags"), tr("Note")};
    return headers[section];
}

Qt::ItemFlags LibraryModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && isEditable(entryAt(index.row()), index.column()))
        flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace lapbench
