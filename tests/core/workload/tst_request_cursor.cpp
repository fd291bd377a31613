#include "core/workload/request_cursor.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace {

thread_local std::size_t allocations = 0;

} // namespace

// Counts what this thread asks for; all other forms of new and delete end here.
void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    std::abort();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace lapbench;

namespace {

RequestTemplate request(const std::string& name, unsigned weight, const std::string& path)
{
    RequestTemplate made;
    made.name = name;
    made.weight = weight;
    made.path = path;
    return made;
}

/// Reads, writes with everything in them, and a constant one.
Workload mixOfThree()
{
    Workload mix;
    mix.requests = {request("read", 7, "/users/{{random_int 1 200000}}?q={{csv words.csv word}}"),
                    request("write", 2, "/users/{{uuid}}"), request("health", 1, "/health")};
    mix.requests[1].method = "POST";
    mix.requests[1].headers = {{"X-Time", "{{now_iso}}"}, {"X-Number", "{{sequence}}"}};
    mix.requests[1].body =
        R"({"kind":"{{choice red green "light blue"}}","at":{{now_ms}},"word":"{{csv words.csv word}}"})";
    return mix;
}

/// What stands between `before` and the next blank or line end of a message; 0 where it has none.
std::uint64_t numberBehind(std::string_view message, std::string_view before)
{
    const std::size_t at = message.find(before);
    return at == std::string_view::npos ? 0 : std::strtoull(message.data() + at + before.size(), nullptr, 10);
}

} // namespace

class TestRequestCursor : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath("words.csv"));
        const QByteArray text("word\na\n\"a longer one, with a comma\"\n\xc3\xbc\n");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    /// After the first request of each kind nothing is allocated, however long later values are.
    void allocatesNothingOnTheWay()
    {
        const RequestScript script = compiled(mixOfThree(), 1);
        RequestCursor cursor(script);
        std::size_t bytes = cursor.parts(0).target.size() + cursor.message(0).size();
        const std::size_t before = allocations;
        for (std::uint64_t number = 0; number < 5000; ++number) {
            bytes += cursor.kindOf(number);
            bytes += cursor.message(number).size();
            bytes += cursor.parts(number).target.size();
        }
        QCOMPARE(allocations - before, 0u);
        QVERIFY(bytes > 0);
    }

    void theCounterOfAllocationsCounts()
    {
        const std::size_t before = allocations;
        const auto memory = std::make_unique<std::vector<int>>(10);
        QCOMPARE(allocations - before, 2u);
        QCOMPARE(memory->size(), 10u);
    }

    void theSameNumberIsTheSameRequestForEveryCursor()
    {
        Workload workload = mixOfThree();
        workload.requests[1].headers.clear();
        workload.requests[1].body = "{{uuid}} {{choice a b}}";
        const RequestScript script = compiled(workload, 1), again = compiled(workload, 1),
                            other = compiled(workload, 2);
        RequestCursor forward(script), backward(again), others(other);
        std::vector<std::string> messages;
        for (std::uint64_t number = 0; number < 300; ++number)
            messages.emplace_back(forward.message(number));
        int different = 0;
        for (std::uint64_t number = 300; number-- > 0;) {
            QCOMPARE(std::string(backward.message(number)), messages[number]);
            different += others.message(number) != messages[number];
        }
        QVERIFY2(different > 250, qPrintable(QString::number(different))); // all but those that happen to be /health
    }

    /// Four threads take batches from a shared count, as workers do: each kind's sequence has no gap and no repeat,
    /// and its share is exact: 7, 2 and 1 of every 10.
    void sequencesHaveNoGapsAcrossThreads()
    {
        constexpr unsigned kThreads = 4;
        constexpr std::uint64_t kRequests = 40'000, kBatch = 37;
        Workload mix;
        mix.requests = {request("a", 70, "/a/{{sequence}}"), request("b", 20, "/b/{{sequence}}?{{sequence}}"),
                        request("c", 10, "/c/{{sequence}}")};
        const RequestScript script = compiled(mix, 3);
        std::atomic<std::uint64_t> next = 0;
        std::vector<std::map<char, std::vector<std::uint64_t>>> seen(kThreads);
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < kThreads; ++i)
            threads.emplace_back([&, i] {
                RequestCursor cursor(script);
                std::uint64_t from = 0;
                while ((from = next.fetch_add(kBatch)) < kRequests)
                    for (std::uint64_t number = from; number < std::min(from + kBatch, kRequests); ++number) {
                        const std::string_view message = cursor.message(number);
                        const char kind = message[5];
                        seen[i][kind].push_back(numberBehind(message, std::string{'/', kind, '/'}));
                    }
            });
        for (std::thread& thread : threads)
            thread.join();
        const std::map<char, std::uint64_t> expected = {{'a', 28'000}, {'b', 8'000}, {'c', 4'000}};
        for (const auto& [kind, count] : expected) {
            std::vector<std::uint64_t> all;
            for (auto& ofThread : seen)
                all.insert(all.end(), ofThread[kind].begin(), ofThread[kind].end());
            std::sort(all.begin(), all.end());
            QCOMPARE(all.size(), count);
            for (std::uint64_t i = 0; i < count; ++i)
                QCOMPARE(all[i], i + 1);
        }
    }

    void theRowOfAFeedGoesWithTheNumberOfItsKind()
    {
        Workload mix;
        mix.requests = {request("a", 1, "/a"), request("b", 1, "/b?{{csv words.csv word}}")};
        const RequestScript script = compiled(mix, 1);
        RequestCursor cursor(script);
        QStringList words;
        for (std::uint64_t number = 0; words.size() < 4; ++number) {
            const QString message = QString::fromStdString(std::string(cursor.message(number)));
            if (message.startsWith("GET /b?"))
                words.append(message.section('?', 1).section(' ', 0, 0));
        }
        QCOMPARE(words, (QStringList{"a", "a%20longer%20one,%20with%20a%20comma", "%C3%BC", "a"}));
    }

    void timesAreThoseOfNow()
    {
        using namespace std::chrono;
        const auto nowMs = [] {
            return std::uint64_t(duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
        };
        Workload workload;
        workload.path = "/{{now_ms}}/";
        const RequestScript script = compiled(workload, 1);
        RequestCursor cursor(script);
        const std::uint64_t before = nowMs();
        const std::uint64_t told = numberBehind(cursor.message(0), "GET /");
        QVERIFY(before <= told && told <= nowMs());
    }

private:
    RequestScript compiled(const Workload& workload, std::uint64_t seed) const
    {
        auto script = RequestScript::compile(workload, {"a", "", m_folder.path().toStdString(), seed});
        if (!script)
            qFatal("%s", format(script.problem()).c_str());
        return std::move(script).value();
    }

    const QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestRequestCursor)
#include "tst_request_cursor.moc"
