#include "core/result/import/csv_rows.h"

#include <QTest>

using namespace lapbench;

namespace {

using Row = std::vector<std::string>;

/// All rows, and where each began.
std::vector<std::pair<std::size_t, Row>> rowsOf(std::string_view text, char separator = ',')
{
    std::vector<std::pair<std::size_t, Row>> all;
    CsvRows rows(text, separator);
    for (Row row; rows.next(row);)
        all.emplace_back(rows.line(), row);
    return all;
}

} // namespace

class TestCsvRows : public QObject {
    Q_OBJECT

private slots:
    void quotedValuesHoldSeparatorsLinesAndQuotes()
    {
        const auto rows = rowsOf("a,\"b, \"\"c\"\"\nd\",e\nf,,\n");
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0].second, (Row{"a", "b, \"c\"\nd", "e"}));
        QCOMPARE(rows[1].second, (Row{"f", "", ""}));
        QCOMPARE(rows[0].first, std::size_t(1));
        QCOMPARE(rows[1].first, std::size_t(3)); // the first row took two lines
    }

    void emptyLinesAreNoRows()
    {
        const auto rows = rowsOf("\n\na\n  \nb");
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0].first, std::size_t(3));
        QCOMPARE(rows[1].second, (Row{"b"}));
    }

    void windowsLineEndsAreNoPartOfTheLastValue()
    {
        QCOMPARE(rowsOf("a;b\r\n1;\"2\"\r\n", ';')[1].second, (Row{"1", "2"}));
    }

    void aQuoteThatIsNotClosedTakesTheRest()
    {
        const auto rows = rowsOf("a,\"b\nc,d\n");
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].second, (Row{"a", "b\nc,d\n"}));
    }

    void columnsAreFoundByName()
    {
        const Row head = {"timeStamp", " elapsed ", "Elapsed"};
        QCOMPARE(columnOf(head, "elapsed"), 1);
        QCOMPARE(columnOf(head, "label"), -1);
    }

    void theSeparatorIsThatOfWhichThereAreMost()
    {
        QCOMPARE(separatorOf("a;b;c,d"), ';');
        QCOMPARE(separatorOf("a\tb"), '\t');
        QCOMPARE(separatorOf("a"), ',');
    }
};

QTEST_GUILESS_MAIN(TestCsvRows)
#include "tst_csv_rows.moc"
