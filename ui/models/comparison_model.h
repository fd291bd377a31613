#pragma once

#include "core/result/session_result.h"
#include "ui/models/shown_target.h"
#include "ui/models/verdict_text.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace lapbench {

/// How many rounds a session has: fewer than `most` where narrow intervals may end it.
struct RoundSpan {
    unsigned fewest = 0, most = 0;
};

/// Targets side by side, one row a target x workload x level: medians over the rounds so far, as makeCells() finds
/// them. Rows stand from the start and fill in trial by trial. The columns from Steady on are of the servers and have a
/// table of their own. Owned by the live page; GUI thread.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Target,
        Workload,
        Connections,
        Verdict,
        Limit,
        Rate,
        Ratio,
        P25,
        P50,
        P75,
        P99,
        Max,
        Cpu,
        Memory,
        StartUp,
        Failed,
        Rounds,
        Steady,
        WarmUp,
        Efficiency,
        MemoryPerRate,
        IdleMemory,
        PeakMemory,
        SettledMemory,
        ColdStartCount,
        ColdStartMedian,
        ColdStartP95,
        ColumnCount
    };
    enum Role {
        TargetIndexRole = Qt::UserRole + 1, ///< int, for the colour
        ThinRole,                           ///< bool: rests on too few samples or rounds
        NotRankedRole,                      ///< bool, of the whole row: its trials say nothing about the server
        ValueRole                           ///< the number behind the text, in the unit of the cell figure; or invalid
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Starts anew: every expected row, empty. `rounds` is what each row will have in the end.
    void reset(const std::vector<ShownTarget>& targets, const std::vector<QString>& workloads,
               const std::vector<Level>& levels, RoundSpan rounds);
    /// Where a round was run again, only the attempt that counts stays in the figures.
    void addTrial(const Trial& trial);
    /// What can be said so far, by requests per second, p50 and p99.
    void setComparisons(std::vector<Comparison> comparisons);
    void setRounds(RoundSpan rounds);
    /// Starts of the servers outside of the rounds, the same in every row of a target.
    void setColdStarts(std::vector<ColdStarts> all);
    /// All of a saved session, as it says itself. A cell that no row was expected for, as of another tool's result,
    /// gets one; `targets` say how its target is shown.
    void setResult(const SessionResult& result, const std::vector<ShownTarget>& targets);

    const std::vector<Trial>& trials() const { return m_trials; }
    bool hasSeveralWorkloads() const { return m_severalWorkloads; }
    bool hasSeveralLevels() const { return m_severalLevels; }
    bool hasColdStarts() const { return !m_coldStarts.empty(); }
    /// Whether a warm-up was to last until the load is steady.
    bool looksForSteady() const;
    /// What may be said of the target of a row; where `row` is none, of the first that is compared, or why none is.
    /// Empty where nothing can be said.
    QString sentence(int row = -1) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Tab-separated with one header line, for the clipboard. `columns` in the order wanted.
    QString asText(const std::vector<int>& columns) const;

private:
    struct Row {
        ShownTarget target;
        QString workload;
        Level level;
        int cell = -1; ///< index into m_cells, -1 where nothing has ended yet
        unsigned ended = 0;
        std::uint64_t samples = 0; ///< latencies of the round that has the fewest
        QString failure;           ///< of the last trial that failed
        LimitsFound limits;
        QStringList steadiness;    ///< of each round whose warm-up was to last until the load is steady
        qsizetype neverSteady = 0; ///< of them
    };

    static bool isLatency(int column);
    static bool isWords(int column); ///< aligned as such
    static bool isMemory(int column);
    static QString steadinessText(const Trial& trial);
    void recompute();
    Row* findRow(const Trial& trial);
    void addRowsOf(const std::vector<Cell>& cells, const std::vector<ShownTarget>& targets);
    void noteKinds();
    QVariant headerToolTip(int section) const;
    QString text(const Row& row, int column) const;
    QString toolTip(const Row& row, int column) const;
    QString comparisonToolTip(const Row& row) const;
    QString steadyText(const Row& row) const;
    QString coldStartsToolTip(const Row& row) const;
    const ColdStarts* coldStarts(const Row& row) const;
    const CellFigure* figure(const Row& row, int column) const;
    std::optional<double> value(const Row& row, int column) const;
    bool isThinIn(const Row& row, int column) const;
    const Comparison* comparison(const Row& row, const char* metric) const;
    QString ownSentence(const Row& row) const;
    void allChanged();

    std::vector<Row> m_rows;
    std::vector<Trial> m_trials;
    std::vector<Cell> m_cells;
    std::vector<Comparison> m_comparisons;
    std::vector<ColdStarts> m_coldStarts;
    std::array<double, ColumnCount> m_largestUs{}; ///< of the latency columns, for the shared unit
    RoundSpan m_rounds;
    QString m_firstTarget;
    bool m_severalWorkloads = false, m_severalLevels = false;
};

} // namespace lapbench
