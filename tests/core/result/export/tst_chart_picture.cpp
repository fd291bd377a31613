#include "core/result/export/chart_picture.h"

#include <QTest>

using namespace lapbench;

class TestChartPicture : public QObject {
    Q_OBJECT

private slots:
    void titleAndDescriptionAreRead()
    {
        const ChartPicture picture =
            makeChartPicture("rps", "<?xml version='1.0'?><svg><title>Requests &amp; more</title>\n"
                                    "<desc>A &lt;b&gt;</desc><metadata>{}</metadata></svg>");
        QCOMPARE(picture.name, std::string("rps"));
        QCOMPARE(picture.title, std::string("Requests & more"));
        QCOMPARE(picture.description, std::string("A <b>"));
        QCOMPARE(makeChartPicture("rps", "<svg/>").title, std::string("rps"));
    }

    void whatIsInlinedHasNoPrologAndNoMetadata()
    {
        const auto svg = inlineSvg("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"9\"><metadata>\n{\"a\": 1}"
                                   "</metadata><g/></svg>\n",
                                   "x-");
        QVERIFY(svg);
        QCOMPARE(*svg, std::string("<svg width=\"9\"><g/></svg>"));
    }

    void idsAreUniqueAndStillMeet()
    {
        const auto svg = inlineSvg("<svg aria-labelledby=\"t\"><title id=\"t\">id=\"t\" url(#t)</title>"
                                   "<g clip-path=\"url(#a)\" id='a'/><use xlink:href=\"#a\"/></svg>",
                                   "c1-");
        QVERIFY(svg);
        QCOMPARE(*svg, std::string("<svg aria-labelledby=\"c1-t\"><title id=\"c1-t\">id=\"t\" url(#t)</title>"
                                   "<g clip-path=\"url(#c1-a)\" id='c1-a'/><use xlink:href=\"#c1-a\"/></svg>"));
    }

    void whatCouldRunIsRefused()
    {
        QVERIFY(!inlineSvg("<svg><SCRIPT>alert(1)</SCRIPT></svg>", "x"));
        QVERIFY(!inlineSvg("<svg><foreignObject/></svg>", "x"));
        QVERIFY(!inlineSvg("<svg><a href=\"javascript:alert(1)\"/></svg>", "x"));
        QVERIFY(inlineSvg("<svg><text>JavaScript: Node.js</text></svg>", "x"));
        QVERIFY(!inlineSvg("<svg><text>JavaScript: Node.js</text><a href='JavaScript:alert(1)'/></svg>", "x"));
        QVERIFY(!inlineSvg("no picture", "x"));
        QVERIFY(!inlineSvg("</svg><svg>", "x"));
    }
};

QTEST_APPLESS_MAIN(TestChartPicture)
#include "tst_chart_picture.moc"
