#include "tests/fuzz/answers.h"
#include "tests/fuzz/differences.h"
#include "tests/fuzz/libcurl_reader.h"

#include <QTest>

#include <array>

using namespace lapbench;
using namespace lapbench::test;

namespace {

/// What of one answer must not be, "" where all is well.
std::string fault(const Reading& ours, const LibcurlReading& theirs, const Judgement& judgement)
{
    if (std::string wrong = faultBy9112(ours, judgement); !wrong.empty())
        return wrong;
    const bool taken = ours.done() && ours.leftover == 0;
    if (taken && !theirs.accepted() && !mayRefuse(Who::libcurl, judgement))
        return "only libcurl refuses";
    if (!taken && theirs.accepted() && !mayRefuse(Who::lapbench, judgement))
        return "only Lapbench refuses";
    if (!ours.done() || !theirs.accepted())
        return "";
    // 5.2 and 6.3: here libcurl frames the body in another way, and not in the right one.
    const bool framedOtherwise = judgement.has(Trait::framingFolded) || judgement.has(Trait::codingEmpty) ||
                                 judgement.has(Trait::chunkedNotLast);
    if (!framedOtherwise && (ours.status != theirs.status || ours.body != theirs.body))
        return "both take it, with another status or body";
    if (!framedOtherwise && ours.byClose != theirs.byClose)
        return "both take it, but one of them needs the close";
    return "";
}

std::string readable(const std::string& bytes)
{
    return QString::fromLatin1(QByteArray::fromStdString(bytes.substr(0, 400)).toPercentEncoding(" /:;,=\"-"))
        .toStdString();
}

} // namespace

class TestAnswersLikeLibcurl : public QObject {
    Q_OBJECT

private:
    const std::vector<Answer> m_answers = handMadeAnswers(LAPBENCH_SOURCE_DIR "/tests/fuzz/answers.txt");
    LibcurlReader m_libcurl;
    std::array<int, kDifferences.size()> m_seen{};

    /// Reads `bytes` in every manner, and by libcurl, and compares. False ends the test.
    bool compare(const std::string& bytes, bool toHead, std::uint64_t seed)
    {
        KnownHead none;
        const Reading ours = readingOf(bytes, toHead, seed, none);
        const LibcurlReading theirs = m_libcurl.read(bytes, toHead);
        const Judgement judgement = judged(bytes, toHead);
        std::string wrong = disagreement(bytes, toHead, seed);
        if (wrong.empty())
            wrong = fault(ours, theirs, judgement);
        for (std::size_t i = 0; i < m_seen.size(); ++i)
            m_seen[i] += judgement.has(kDifferences[i].trait) ? 1 : 0;
        if (wrong.empty())
            return true;
        qWarning("%s\n  Lapbench: %s %s\n  libcurl: %d, %d with %zu bytes, %s\n  odd:%s\n  %s: %s", wrong.c_str(),
                 ours.verdict().c_str(), ours.reason.c_str(), theirs.code, theirs.status, theirs.body.size(),
                 theirs.error.c_str(), traitsOf(judgement).c_str(), toHead ? "to HEAD" : "to GET",
                 readable(bytes).c_str());
        return false;
    }

private slots:
    void handMadeAnswersAreWhatTheyShouldBe()
    {
        // What llhttp 8.1 refuses although it is lawful. Refused is an error that a user sees, never a wrong figure.
        const std::vector<std::string> refused = {"spaces and tabs around a length", "extensions of chunks",
                                                  "a quoted extension", "spaces around an extension"};
        QVERIFY(m_answers.size() >= 50);
        for (const Answer& answer : m_answers) {
            KnownHead none;
            const std::string verdict = readingOf(answer.bytes, answer.toHead, 0, none).verdict();
            bool right =
                verdict == "malformed" && std::find(refused.begin(), refused.end(), answer.name) != refused.end();
            std::size_t at = 0;
            while (at != std::string::npos && !right) {
                const std::size_t end = answer.verdict.find(" or ", at);
                right = answer.verdict.substr(at, end - at) == verdict;
                at = end == std::string::npos ? end : end + 4;
            }
            QVERIFY2(right,
                     qPrintable(QString::fromStdString(answer.name + ": " + verdict + ", not " + answer.verdict)));
        }
    }

    void aKnownHeadChangesNothingOfAnyOtherAnswer()
    {
        std::vector<Reading> plain; // of each answer, to another method and to HEAD
        for (std::size_t i = 0; i < 2 * m_answers.size(); ++i) {
            KnownHead none;
            plain.push_back(readingOf(m_answers[i / 2].bytes, i % 2 != 0, 0, none));
        }
        int learnt = 0;
        for (std::size_t before = 0; before < plain.size(); ++before) {
            KnownHead head;
            (void)readingOf(m_answers[before / 2].bytes, before % 2 != 0, 0, head);
            learnt += head.bytes.empty() ? 0 : 1;
            for (std::size_t after = 0; after < plain.size(); ++after) {
                KnownHead known = head;
                const Answer& answer = m_answers[after / 2];
                QVERIFY2(readingOf(answer.bytes, after % 2 != 0, 0, known).sameAs(plain[after]),
                         qPrintable(QString::fromStdString(m_answers[before / 2].name + ", then " + answer.name)));
            }
        }
        QVERIFY(learnt >= 50);
    }

    void handMadeAnswersAreReadAsLibcurlReadsThem()
    {
        for (const Answer& answer : m_answers)
            for (const std::uint64_t seed : {0U, 1U, 12345U})
                QVERIFY2(compare(answer.bytes, answer.toHead, seed), answer.name.c_str());
    }

    void changedAnswersAreReadAsLibcurlReadsThem()
    {
        const int asked = qEnvironmentVariableIntValue("LAPBENCH_CHANGED_ANSWERS");
        const std::uint64_t changes = asked > 0 ? static_cast<std::uint64_t>(asked) : 10'000;
        std::vector<const Answer*> small; // the large ones would take all the time
        for (const Answer& answer : m_answers)
            if (answer.bytes.size() < 2000)
                small.push_back(&answer);
        int faults = 0;
        for (std::uint64_t i = 0; i < changes; ++i) {
            const Answer& answer = *small[i % small.size()];
            const Answer& other = *small[(i * 7 + i / small.size()) % small.size()];
            faults += compare(mutated(answer.bytes, other.bytes, i), answer.toHead, i * 2 + 1) ? 0 : 1;
            QVERIFY2(faults < 10, "and so on");
        }
        QCOMPARE(faults, 0);
        for (std::size_t i = 0; i < m_seen.size(); ++i)
            QVERIFY2(m_seen[i] >= 3, kDifferences[i].what);
    }
};

QTEST_APPLESS_MAIN(TestAnswersLikeLibcurl)
#include "tst_answers_like_libcurl.moc"
