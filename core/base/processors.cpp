#include "core/base/processors.h"

#include <sched.h>

#include <algorithm>
#include <charconv>

namespace lapbench {

namespace {

/// Nothing where a number is larger than the kernel's calls take here.
std::optional<cpu_set_t> setOf(const std::vector<unsigned>& processors)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned processor : processors) {
        if (processor >= CPU_SETSIZE)
            return std::nullopt;
        CPU_SET(processor, &set);
    }
    return set;
}

std::optional<unsigned> numberOf(std::string_view text)
{
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || number >= CPU_SETSIZE)
        return std::nullopt;
    return number;
}

} // namespace

std::vector<unsigned> allowedProcessors()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<unsigned> processors;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return processors;
    for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &allowed))
            processors.push_back(processor);
    return processors;
}

bool keepThreadTo(const std::vector<unsigned>& processors)
{
    if (processors.empty())
        return true;
    const auto set = setOf(processors);
    return set && ::sched_setaffinity(0, sizeof *set, &*set) == 0;
}

Result<void> checkProcessors(const std::vector<unsigned>& processors, const std::string& path)
{
    const std::vector<unsigned> before = allowedProcessors();
    for (const unsigned processor : processors) {
        // What the kernel grants is the only account of the container's cpuset and of processors that are off.
        const bool granted = keepThreadTo({processor}) && allowedProcessors() == std::vector{processor};
        keepThreadTo(before);
        if (!granted)
            return Problem{path,
                           "processor " + std::to_string(processor) +
                               " is not there on this machine, or this process may not use it",
                           "choose among those of `lapbench-cli doctor`, here " + formatProcessors(before)};
    }
    return {};
}

std::string formatProcessors(const std::vector<unsigned>& processors)
{
    std::vector<unsigned> sorted = processors;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::string text;
    for (std::size_t first = 0, last = 0; first < sorted.size(); first = last + 1) {
        last = first;
        while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(sorted[first]);
        if (last > first)
            text += "-" + std::to_string(sorted[last]);
    }
    return text;
}

std::optional<std::vector<unsigned>> parseProcessors(std::string_view list)
{
    std::vector<unsigned> processors;
    while (!list.empty()) {
        const std::string_view part = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), part.size() + 1));
        const std::size_t dash = part.find('-');
        const auto first = numberOf(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : numberOf(part.substr(dash + 1));
        if (!first || !last || *last < *first || (!processors.empty() && *first <= processors.back()))
            return std::nullopt;
        for (unsigned processor = *first; processor <= *last; ++processor)
            processors.push_back(processor);
    }
    return processors;
}

ThreadKeptOff::ThreadKeptOff(const std::vector<unsigned>& processors)
{
    const std::vector<unsigned> before = allowedProcessors();
    std::vector<unsigned> left;
    std::copy_if(before.begin(), before.end(), std::back_inserter(left), [&](unsigned processor) {
        return std::find(processors.begin(), processors.end(), processor) == processors.end();
    });
    if (!left.empty() && left.size() < before.size() && keepThreadTo(left))
        m_before = before;
}

ThreadKeptOff::~ThreadKeptOff()
{
    keepThreadTo(m_before);
}

} // namespace lapbench
