#include "core/load/error_book.h"

#include <algorithm>

namespace lapbench {

namespace {

std::string headOnly(std::string_view answer)
{
    const std::size_t end = answer.find("\r\n\r\n");
    return std::string(answer.substr(0, std::min(end, kHeadSampleBytes)));
}

} // namespace

void ErrorBook::add(ErrorKind kind, Phase phase, std::int64_t atNs, std::string_view message, std::string_view head)
{
    Entry& entry = m_entries[{kind, phase}];
    if (entry.count++ == 0) {
        entry.firstNs = atNs;
        entry.message = message;
        entry.head = headOnly(head);
    }
}

void ErrorBook::add(const ErrorBook& other)
{
    for (const auto& [key, theirs] : other.m_entries) {
        Entry& ours = m_entries[key];
        const std::uint64_t count = ours.count + theirs.count;
        if (ours.count == 0 || theirs.firstNs < ours.firstNs)
            ours = theirs;
        ours.count = count;
    }
}

std::vector<ErrorCount> ErrorBook::counts(std::int64_t openedNs) const
{
    std::vector<ErrorCount> counts;
    for (const auto& [key, entry] : m_entries)
        counts.push_back({key.first, key.second, entry.count, static_cast<double>(entry.firstNs - openedNs) / 1e9,
                          entry.message, entry.head});
    std::stable_sort(counts.begin(), counts.end(),
                     [](const ErrorCount& a, const ErrorCount& b) { return a.count > b.count; });
    return counts;
}

} // namespace lapbench
