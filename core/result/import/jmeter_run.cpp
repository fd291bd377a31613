#include "core/result/import/jmeter_run.h"

#include "core/result/import/error_words.h"
#include "core/result/import/measure_text.h"
#include "core/result/import/row_time.h"

#include <algorithm>
#include <cmath>

namespace lapbench {

namespace {

constexpr double kUsPerMs = 1000;
constexpr std::size_t kMostLabels = 1000;
/// Of how many numbers of threads it is counted how often they were there.
constexpr std::size_t kMostThreadNumbers = 100'000;

std::optional<int> statusOf(std::string_view code)
{
    const auto told = code.size() == 3 ? parseWhole(code) : std::nullopt;
    return told && *told >= 100 && *told < 600 ? std::optional(static_cast<int>(*told)) : std::nullopt;
}

/// "HTTP Request" of "HTTP Request-0", as JMeter names the parts of a sample; nothing for other labels.
std::optional<std::string_view> wholeOf(std::string_view label)
{
    const std::size_t dash = label.rfind('-');
    if (dash == std::string_view::npos || dash == 0 || dash + 1 == label.size() ||
        label.find_first_not_of("0123456789", dash + 1) != std::string_view::npos)
        return std::nullopt;
    return label.substr(0, dash);
}

void addBytes(std::optional<std::uint64_t>& sum, std::optional<std::uint64_t> bytes)
{
    if (sum && bytes)
        *sum += *bytes;
    else
        sum.reset();
}

} // namespace

bool JmeterSample::isTransaction() const
{
    return responseMessage.starts_with("Number of samples in transaction");
}

Semantics jmeterSemantics()
{
    Semantics semantics;
    semantics.latencyIncludesErrors = true;
    semantics.rpsCountsErrors = true;
    semantics.correction = Correction::none;
    semantics.resolutionUs = kUsPerMs;
    semantics.bytes = BytesKind::wire;
    semantics.notes = {"JMeter tells times in whole milliseconds."};
    return semantics;
}

void JmeterRun::addTo(Part& part, const JmeterSample& sample, bool isRight)
{
    std::optional<double> start;
    if (const auto time = parseRowTime(sample.time)) {
        start = time->us;
        part.isUtc = part.isUtc && time->isUtc;
        part.firstUs = std::min(part.firstUs.value_or(*start), *start);
    } else {
        ++part.untimed;
    }
    part.samples.add(sample.elapsedMs * kUsPerMs, isRight, start);
    addBytes(part.bytes, sample.bytes);
    addBytes(part.sentBytes, sample.sentBytes);
    if (const auto status = statusOf(sample.responseCode))
        ++part.run.status[*status];
    if (sample.allThreads && part.threads.size() < kMostThreadNumbers)
        ++part.threads[*sample.allThreads];
    if (!isRight)
        tellError(sample, part.run);
}

void JmeterRun::tellError(const JmeterSample& sample, ImportedRun& run)
{
    constexpr std::size_t kMostWords = 300;
    const auto status = statusOf(sample.responseCode);
    std::string words(sample.responseCode.substr(0, kMostWords));
    words.append(" ").append(sample.responseMessage.substr(0, kMostWords));
    if (status && !isGoodStatus(static_cast<std::uint64_t>(*status)))
        addError(run, ErrorKind::unexpectedStatus, words, 1);
    else if (sample.responseCode.starts_with("Non HTTP"))
        addError(run, words, 1);
    else
        addError(run, ErrorKind::failedCheck,
                 sample.failureMessage.empty() ? words : sample.failureMessage.substr(0, kMostWords), 1);
}

void JmeterRun::add(const JmeterSample& sample)
{
    const auto status = statusOf(sample.responseCode);
    const bool isRight = sample.success && (!status || isGoodStatus(static_cast<std::uint64_t>(*status)));
    if (sample.isTransaction())
        return addTo(m_transactions, sample, isRight);
    addTo(m_requests, sample, isRight);
    const auto count = [](auto& names, std::string_view name, std::size_t most) {
        if (const auto known = names.find(name); known != names.end())
            ++known->second;
        else if (names.size() < most)
            names.emplace(name, 1);
    };
    count(m_labels, sample.label, kMostLabels);
    count(m_urls, sample.url, 2);
}

void JmeterRun::skipRow(std::size_t line)
{
    if (m_skipped++ == 0)
        m_firstSkipped = line;
}

void JmeterRun::setTimes(const Part& part, ImportedRun& run)
{
    if (part.firstUs && part.isUtc && *part.firstUs < 9e15)
        run.started = UtcTime{} + std::chrono::microseconds(std::llround(*part.firstUs));
    if (part.untimed > 0)
        run.doubts.push_back(std::to_string(part.untimed) +
                             " samples have no time that can be read: how long the run took is not known.");
    // The number of threads is that of the run where most samples were taken with it: not while they were started.
    if (!part.threads.empty()) {
        const auto& [threads, samples] = *part.threads.rbegin();
        if (threads > 0 && threads < 10'000'000 && samples * 2 >= part.samples.count())
            run.connections = static_cast<unsigned>(threads);
        else
            run.semantics.notes.push_back("Up to " + std::to_string(threads) +
                                          " threads were active, most of the time another number.");
    }
}

void JmeterRun::nameRun(ImportedRun& run) const
{
    if (m_labels.size() == 1)
        run.workload = trimmed(m_labels.begin()->first);
    else if (!m_labels.empty())
        run.semantics.notes.push_back("The run has samples of " +
                                      std::string(m_labels.size() == kMostLabels ? "at least " : "") +
                                      std::to_string(m_labels.size()) + " labels.");
    for (const std::string_view method : {"GET ", "POST ", "PUT ", "DELETE ", "PATCH ", "HEAD ", "OPTIONS "})
        if (run.workload.starts_with(method))
            run.method = method.substr(0, method.size() - 1);
    if (m_urls.size() == 1 && m_urls.begin()->first.find("://") != std::string::npos)
        run.url = m_urls.begin()->first;
}

void JmeterRun::tellParts(ImportedRun& run) const
{
    std::uint64_t parts = 0;
    for (const auto& [label, count] : m_labels)
        if (const auto whole = wholeOf(label); whole && m_labels.find(*whole) != m_labels.end())
            parts += count;
    if (parts > 0)
        run.doubts.push_back(
            std::to_string(parts) +
            " samples are named as parts of others (\"-0\" at the end of the label), such as the steps "
            "of a redirect: both the whole and its parts are counted, as JMeter itself does.");
    if (m_skipped > 0)
        run.doubts.push_back(std::to_string(m_skipped) + " rows, the first of them in line " +
                             std::to_string(m_firstSkipped) + ", are no samples and are left out.");
}

ImportedRun JmeterRun::finish()
{
    const bool onlyTransactions = m_requests.samples.count() == 0;
    Part& part = onlyTransactions ? m_transactions : m_requests;
    ImportedRun run = std::move(part.run);
    run.semantics = jmeterSemantics();
    part.samples.fill(run);
    run.bytesReceived = part.bytes;
    run.bytesSent = part.sentBytes;
    setTimes(part, run);
    nameRun(run);
    tellParts(run);
    if (onlyTransactions)
        run.doubts.emplace_back("All rows are of transactions, which may be several requests each.");
    else if (m_transactions.samples.count() > 0)
        run.semantics.notes.push_back(std::to_string(m_transactions.samples.count()) +
                                      " rows of transactions repeat the samples within them and are not counted.");
    return run;
}

} // namespace lapbench
