#include "core/result/result_json.h"
#include "tests/support/made_results.h"
#include "tests/ui/made_charts.h"
#include "ui/charts/chart_file.h"
#include "ui/charts/picture_result.h"
#include "ui/charts/result_file.h"

#include <QBuffer>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

using namespace lapbench;

namespace {

const QByteArray kSample = LAPBENCH_SOURCE_DIR "/resources/samples/json-api.lapbench.json";

SessionResult madeResult()
{
    SessionResult result = test::resultOf("n", {{"node", {100, 110, 120}}, {"bun", {200, 210, 190}}}).result;
    result.id = newResultId();
    result.tool.version = "0.1.0";
    result.cells = makeCells(result.trials, targetsOf(result.planJson));
    return result;
}

QByteArray pngOf(const SessionResult& result)
{
    return chartAsPng(test::madeBars(), {}, 1, pictureSource(result, QStringLiteral("0.1.0")));
}

QByteArray svgOf(const SessionResult& result)
{
    return chartAsSvg(test::madeBars(), {}, pictureSource(result, QStringLiteral("0.1.0")));
}

/// What cells, comparisons and rankings say.
QByteArray figuresOf(const SessionResult& result)
{
    const Json json = Json::parse(formatResult(result));
    const auto part = [&json](const char* key) { return json.contains(key) ? dumpJson(json[key]) : std::string(); };
    return QByteArray::fromStdString(part("cells") + part("comparisons") + part("ranking"));
}

QByteArray chunk(const QByteArray& type, const QByteArray& content)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(static_cast<quint32>(content.size()), bytes.data());
    return bytes + type + content + QByteArray(4, '\0'); // whoever looks for text does not check sums
}

/// The texts of Lapbench taken out of a PNG, and `text` in their place or at the end.
QByteArray withText(const QByteArray& png, const QByteArray& text, bool atEnd)
{
    QByteArray before = png.first(8), after;
    for (qsizetype at = 8; at < png.size();) {
        const qsizetype size = qFromBigEndian<quint32>(png.constData() + at) + 12;
        const QByteArray whole = png.mid(at, size);
        at += size;
        if (whole.mid(8).startsWith("lapbench-result\0"))
            continue;
        (whole.mid(4, 4) == "IDAT" || whole.mid(4, 4) == "IEND" ? after : before) += whole;
    }
    const qsizetype end = after.size() - 12;
    return atEnd ? before + after.first(end) + text + after.mid(end) : before + text + after;
}

/// A zlib stream, without the length that Qt puts in front.
QByteArray zlibOf(const QByteArray& plain)
{
    return qCompress(plain).mid(4);
}

QByteArray packedIn(const QByteArray& png)
{
    return QImage::fromData(png, "png").text(QStringLiteral("lapbench-result")).toLatin1();
}

QByteArray svgWith(const QByteArray& packed, const QByteArray& declaration = {})
{
    return "<?xml version=\"1.0\"?>" + declaration +
           "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata>"
           "<l:result xmlns:l=\"urn:lapbench:picture\">" +
           packed + "</l:result></metadata></svg>";
}

} // namespace

/// Results that pictures carry.
class TestPictureResult : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;

    QByteArray write(const QByteArray& bytes, const QString& ending = QStringLiteral("bin"))
    {
        const QString path = m_folder.filePath(QStringLiteral("f%1.%2").arg(++m_number).arg(ending));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("no temporary file");
        return path.toUtf8();
    }

    QByteArray problemOf(const QByteArray& bytes)
    {
        const auto result = resultInPicture(write(bytes).toStdString());
        return result ? QByteArray("no problem") : QByteArray::fromStdString(format(result.problem()));
    }

    QByteArray textBack(const QByteArray& bytes)
    {
        const auto result = resultInPicture(write(bytes).toStdString());
        return QByteArray::fromStdString(result ? formatResult(result.value()) : format(result.problem()));
    }

private slots:
    void aPictureGivesBackTheResultItWasDrawnFrom()
    {
        const SessionResult result = madeResult();
        const QByteArray text = QByteArray::fromStdString(formatResult(result));
        QCOMPARE(textBack(svgOf(result)), text);
        QCOMPARE(textBack(pngOf(result)), text);
    }

    void aLargeResultKeepsItsFiguresAndLosesTheLatenciesOfItsSeconds()
    {
        const auto sample = readResultOrJournal(kSample.toStdString());
        QVERIFY(sample.ok());
        QVERIFY(!figuresOf(sample.value()).isEmpty());
        for (const QByteArray& picture : {svgOf(sample.value()), pngOf(sample.value())}) {
            QVERIFY(picture.size() < 150'000);
            const auto back = resultInPicture(write(picture).toStdString());
            QVERIFY2(back.ok(), back ? "" : format(back.problem()).c_str());
            QCOMPARE(figuresOf(back.value()), figuresOf(sample.value()));
            QCOMPARE(back.value().id, sample.value().id);
            QVERIFY(!sample.value().trials[0].seconds[1].load.latency.counts.empty());
            QVERIFY(back.value().trials[0].seconds[1].load.latency.counts.empty());
            QCOMPARE(back.value().trials[0].seconds[1].load.ok, sample.value().trials[0].seconds[1].load.ok);
            QCOMPARE(back.value().warnings.back().code, std::string("picture"));
            QCOMPARE(figuresOf(resultInPicture(write(svgOf(back.value())).toStdString()).value()),
                     figuresOf(sample.value()));
        }
    }

    void aPngThatAnotherProgramWroteAnewStillHasIt_data()
    {
        const SessionResult result = madeResult();
        const QByteArray png = pngOf(result), packed = packedIn(png);
        QTest::addColumn<QByteArray>("picture");
        QTest::addColumn<QByteArray>("text");
        const QByteArray text = QByteArray::fromStdString(formatResult(result));
        const QByteArray name("lapbench-result\0", 16);
        const QByteArray noise = chunk("tIME", "1234567") + chunk("tEXt", QByteArray("Comment\0x", 9));
        QTest::newRow("text behind the picture")
            << withText(png, noise + chunk("zTXt", name + '\0' + zlibOf(packed)), true) << text;
        QTest::newRow("not compressed") << withText(png, noise + chunk("tEXt", name + packed), false) << text;
        QTest::newRow("international") << withText(png, chunk("iTXt", name + QByteArray("\0\0en\0x\0", 7) + packed),
                                                   true)
                                       << text;
        QTest::newRow("international and compressed")
            << withText(png, chunk("iTXt", name + QByteArray("\1\0\0\0", 4) + zlibOf(packed)), false) << text;
        QTest::newRow("cut off behind the text") << png.first(png.size() - 500) << text;
        QBuffer buffer;
        QImage image = QImage::fromData(png, "png").scaled(300, 200);
        image.setText(QStringLiteral("lapbench-result"), QString::fromLatin1(packed));
        QVERIFY(image.save(&buffer, "png"));
        QTest::newRow("resized") << buffer.data() << text;
    }
    void aPngThatAnotherProgramWroteAnewStillHasIt()
    {
        QFETCH(QByteArray, picture);
        QFETCH(QByteArray, text);
        QCOMPARE(textBack(picture), text);
    }

    void anSvgThatWasIndentedStillHasIt()
    {
        const SessionResult result = madeResult();
        QByteArray packed = packedIn(pngOf(result));
        for (qsizetype at = 70; at < packed.size(); at += 80)
            packed.insert(at, "\r\n\t  ");
        const QByteArray declaration = "\n<!-- x -->\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x.dtd\">";
        QCOMPARE(textBack(svgWith("\n " + packed, declaration)), QByteArray::fromStdString(formatResult(result)));
    }

    void aPictureWithoutAResultSaysSo_data()
    {
        QTest::addColumn<QByteArray>("picture");
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(Qt::red);
        for (const char* format : {"png", "jpg"}) {
            QBuffer buffer;
            QVERIFY(image.save(&buffer, format));
            QTest::newRow(format) << buffer.data();
        }
        QTest::newRow("svg") << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>");
        QTest::newRow("another element called result")
            << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"><result>eA==</result></svg>");
        QTest::newRow("pdf") << QByteArray("%PDF-1.4\n");
        QTest::newRow("nothing of a PNG but its beginning") << QByteArray("\x89PNG\r\n\x1a\n");
        QTest::newRow("a PNG with a chunk longer than the file")
            << QByteArray("\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtlapbench-result", 31);
    }
    void aPictureWithoutAResultSaysSo()
    {
        QFETCH(QByteArray, picture);
        QVERIFY2(problemOf(picture).contains("this picture carries no result"), problemOf(picture));
        QVERIFY(fileKind(write(picture).toStdString()) == FileKind::picture);
    }

    void aHostilePictureIsRefusedWithASentence_data()
    {
        QTest::addColumn<QByteArray>("picture");
        QTest::addColumn<QByteArray>("said");
        const QByteArray png = pngOf(madeResult());
        const QByteArray name("lapbench-result\0", 16);
        const QByteArray zeros(70 << 20, '\0');
        QTest::newRow("text that is huge once decompressed")
            << withText(png, chunk("zTXt", name + '\0' + zlibOf(zeros)), false) << QByteArray("more than 7 MiB");
        QTest::newRow("a result that is huge once decompressed")
            << svgWith(zlibOf(zeros).toBase64()) << QByteArray("more than 64 MiB");
        QTest::newRow("broken base64") << svgWith("eNr*") << QByteArray("no base64");
        QTest::newRow("base64 of something else") << svgWith("aGVsbG8=") << QByteArray("damaged");
        QTest::newRow("nothing") << svgWith("") << QByteArray("damaged");
        QTest::newRow("no result") << svgWith(zlibOf("{}").toBase64()) << QByteArray("schema");
        QTest::newRow("a broken stream in a PNG")
            << withText(png, chunk("zTXt", name + "\0hello"), false) << QByteArray("damaged");
        QTest::newRow("an external entity")
            << svgWith("&x;", "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>") << QByteArray("entities");
        QTest::newRow("entities in entities")
            << svgWith("&b;", "<!DOCTYPE svg [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>")
            << QByteArray("entities");
        QTest::newRow("an element within") << svgWith("<a/>") << QByteArray("no XML");
        // Takes minutes to read; the figure is far above what is refused.
        QByteArray attributes;
        for (int i = 0; i < 300'000; ++i)
            attributes += " a" + QByteArray::number(i) + "='>'";
        QTest::newRow("attributes without end") << "<svg" + attributes + "/>" << QByteArray("4096 attributes");
        QTest::newRow("cut off") << svgOf(madeResult()).first(900) << QByteArray("no XML");
    }
    void aHostilePictureIsRefusedWithASentence()
    {
        QFETCH(QByteArray, picture);
        QFETCH(QByteArray, said);
        const QByteArray problem = problemOf(picture);
        QVERIFY2(problem.contains(said), problem);
        QVERIFY2(problem.contains(".bin: no result can be read from this picture"), problem);
        QVERIFY(!problem.contains('\n'));
    }

    void whatAFileIsFollowsFromItsContent()
    {
        const auto kind = [this](const QByteArray& bytes, const char* ending) {
            return fileKind(write(bytes, QLatin1String(ending)).toStdString());
        };
        const QByteArray result = QByteArray::fromStdString(formatResult(madeResult()));
        QVERIFY(kind(result, "json") == FileKind::result);
        QVERIFY(kind("{}", "lapbench.json") == FileKind::result);
        QVERIFY(kind("hello", "plan.json") == FileKind::plan);
        QVERIFY(kind(R"({"schema": "lapbench-plan"})", "json") == FileKind::plan);
        QVERIFY(kind("Running 30s test @ http://127.0.0.1:3000/\n", "txt") == FileKind::result);
        QVERIFY(kind(svgOf(madeResult()), "xml") == FileKind::picture);
        QVERIFY(kind(pngOf(madeResult()), "txt") == FileKind::picture);
        QVERIFY(kind("<?xml version=\"1.0\"?><testResults version=\"1.2\">", "jtl") == FileKind::result);
        QVERIFY(kind("<!doctype html><html><body><svg></svg>", "html") == FileKind::result);
        QVERIFY(fileKind("json-api") == FileKind::plan);
        QVERIFY(fileKind(m_folder.path().toStdString()) == FileKind::plan);
    }

    void aPictureIsReadWhereAResultIsAsked()
    {
        const SessionResult result = madeResult();
        const auto read = readResultFile(write(svgOf(result)).toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read.value().id, result.id);
        const auto text = resultFileText(write(pngOf(result)).toStdString());
        QVERIFY(text.ok());
        QCOMPARE(text.value(), formatResult(result));
        const auto same = resultFileText(kSample.toStdString());
        QFile sample(QString::fromUtf8(kSample));
        QVERIFY(same.ok() && sample.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(same.value()), sample.readAll());
    }

    void theSampleIsARealSessionAsItWasWritten()
    {
        const auto sample = readResultOrJournal(kSample.toStdString());
        QVERIFY(sample.ok());
        QCOMPARE(sample.value().cells.size(), std::size_t(4));
        QVERIFY(!sample.value().comparisons.empty());
        for (const Warning& warning : sample.value().warnings)
            QVERIFY(warning.code != "changed");
        QVERIFY(sample.value().host.hostname.empty());
        QCOMPARE(formatResult(sample.value()), resultFileText(kSample.toStdString()).value());
    }
};

QTEST_MAIN(TestPictureResult)
#include "tst_picture_result.moc"
