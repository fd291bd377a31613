#pragma once

#include "core/result/import/imported_run.h"
#include "core/result/import/request_samples.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lapbench {

/// One sample as a JTL tells it, in either of its forms. Lives as long as the text it points into.
struct JmeterSample {
    std::string_view time; ///< milliseconds since 1970, or by the format that was set
    double elapsedMs = 0;
    bool success = false;
    std::string_view label, responseCode, responseMessage, failureMessage, url;
    std::optional<std::uint64_t> bytes, sentBytes;
    std::optional<std::uint64_t> allThreads;

    /// A row that a transaction controller wrote about the samples within it.
    bool isTransaction() const;
};

/// A run of JMeter as its samples come. Those of transactions are kept apart, for they repeat the others.
class JmeterRun {
public:
    void add(const JmeterSample& sample);
    void skipRow(std::size_t line);
    std::uint64_t count() const { return m_requests.samples.count() + m_transactions.samples.count(); }

    /// The whole of it. Transactions are only counted where nothing else is there.
    ImportedRun finish();

private:
    struct Part {
        RequestSamples samples;
        ImportedRun run;                                ///< with the errors and statuses so far
        std::map<std::uint64_t, std::uint64_t> threads; ///< how many samples at a number of threads
        std::optional<std::uint64_t> bytes = 0, sentBytes = 0;
        std::optional<double> firstUs;
        std::uint64_t untimed = 0;
        bool isUtc = true;
    };
    static void addTo(Part& part, const JmeterSample& sample, bool isRight);
    static void tellError(const JmeterSample& sample, ImportedRun& run);
    static void setTimes(const Part& part, ImportedRun& run);
    void nameRun(ImportedRun& run) const;
    void tellParts(ImportedRun& run) const;

    Part m_requests, m_transactions;
    std::map<std::string, std::uint64_t, std::less<>> m_labels; ///< at most kMostLabels
    std::map<std::string, std::uint64_t, std::less<>> m_urls;   ///< at most two
    std::uint64_t m_skipped = 0;
    std::size_t m_firstSkipped = 0;
};

/// What the figures of JMeter mean.
Semantics jmeterSemantics();

} // namespace lapbench
