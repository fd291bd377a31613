#pragma once

#include "core/result/library.h"

#include <QAbstractTableModel>

#include <vector>

namespace lapbench {

/// The saved results as a table, the newest first, those that cannot be read last and with why. Name, tags and note can
/// be edited in place, which changes the file. Owned by the page that shows it; GUI thread.
class LibraryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Made, Name, Targets, Trials, Tags, Note, ColumnCount };
    enum Role {
        PathRole = Qt::UserRole + 1, ///< QString
        ProblemRole,                 ///< QString: why it cannot be read; empty where it can
        SortRole                     ///< what a column is sorted by
    };

    explicit LibraryModel(const std::filesystem::path& home, QObject* parent = nullptr);

    const Library& library() const { return m_library; }
    /// Lists the library anew. The first time it reads every file: Library::list() on another thread and then reset()
    /// spares the window that wait.
    void refresh();
    void reset(std::vector<LibraryEntry> entries);
    /// Shows only what is looked for.
    void setQuery(const LibraryQuery& query);

    /// Of a row that is shown.
    const LibraryEntry& entryAt(int row) const { return m_entries[m_shown[static_cast<std::size_t>(row)]]; }
    /// Moves the row's file to the trash, or deletes it for good; the row goes with it. False after failed().
    bool removeResult(int row, bool permanently);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// A problem is told by failed(), and the table stays as it was.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// One sentence for the person.
    void failed(const QString& sentence);

private:
    void show();
    bool tell(const Problem& problem);
    Result<void> edit(const LibraryEntry& entry, int column, const QString& text);

    Library m_library;
    LibraryQuery m_query;
    std::vector<LibraryEntry> m_entries;
    std::vector<std::size_t> m_shown; ///< indices of m_entries
};

} // namespace lapbench
