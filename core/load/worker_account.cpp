#include "core/load/worker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// What the worker counts of a request that has ended.

namespace lapbench {

void Worker::account(const Slot& slot, const Sample& sample)
{
    if (sample.endNs >= m_passNs) [[unlikely]]
        passTime(sample.endNs);
    const Part part = partOf(m_stage, sample.endNs);
    const std::int64_t beganNs = this->beganNs(slot, sample.startNs);
    if (part == Part::after) [[unlikely]] {
        if (beganNs < m_stage.closeNs) {
            ++m_figures.unfinished;
            m_figures.requestNs += m_stage.closeNs - std::max(sample.startNs, m_stage.openNs);
            m_figures.censored.record(m_stage.closeNs - beganNs);
            if (m_stage.arrivals)
                m_figures.serviceCensored.record(m_stage.closeNs - sample.startNs);
        }
        return;
    }
    const std::optional<Failure> failure = failureOf(sample);
    if (!failure) [[likely]]
        m_live->recordOk(sample.endNs - beganNs);
    else
        m_live->recordFailed();
    if (part == Part::warmup)
        return;

    m_figures.lastEndNs = sample.endNs;
    m_figures.requestNs += sample.endNs - std::max(sample.startNs, m_stage.openNs);
    m_figures.received += sample.received;
    m_figures.sent += sample.sent;
    m_figures.body += sample.body;
    if (sample.failure == nullptr)
        ++m_figures.status[static_cast<std::size_t>(sample.status)];
    if (m_stage.arrivals)
        m_figures.scheduleLag.record(sample.startNs - beganNs);
    if (!failure) [[likely]]
        accountRight(slot, sample);
    else
        accountFailure(slot, sample, *failure);
}

std::optional<Failure> Worker::failureOf(const Sample& sample) const
{
    if (sample.failure != nullptr) [[unlikely]]
        return *sample.failure;
    const AnswerCheck& check = m_task.script.kinds()[sample.kind].check;
    if (!check.isRightStatus(sample.status)) [[unlikely]]
        return Failure{ErrorKind::unexpectedStatus, Phase::check, "status " + std::to_string(sample.status)};
    if (!check.isRightLength(sample.body)) [[unlikely]]
        return Failure{ErrorKind::failedCheck, Phase::check,
                       "the body has " + std::to_string(sample.body) + " bytes, not " +
                           std::to_string(check.bytes().value_or(0))};
    if (check.needsBody()) {
        if (sample.body > sample.text.size())
            return Failure{ErrorKind::tooLarge, Phase::check, "the body is larger than the 16 MB that are checked"};
        if (auto fault = check.bodyFault(sample.text))
            return Failure{ErrorKind::failedCheck, Phase::check, std::move(*fault)};
    }
    return std::nullopt;
}

void Worker::accountRight(const Slot& slot, const Sample& sample)
{
    ++m_figures.ok;
    m_figures.latency.record(sample.endNs - beganNs(slot, sample.startNs));
    if (m_stage.arrivals) {
        m_figures.service.record(sample.endNs - sample.startNs);
        m_figures.serviceMoments.record(sample.endNs - sample.startNs);
    }
}

void Worker::accountFailure(const Slot& slot, const Sample& sample, const Failure& failure)
{
    ++m_figures.failed;
    ++m_secondFailed;
    const std::vector<RequestKind>& kinds = m_task.script.kinds();
    const std::string request = kinds.size() == 1 ? "" : kinds[sample.kind].name + ": ";
    m_figures.errors.add(failure.kind, failure.phase, sample.endNs, request + failure.message, sample.head);
    const std::int64_t lagNs = sample.startNs - beganNs(slot, sample.startNs);
    if (failure.kind == ErrorKind::timeout) {
        m_figures.censored.record(m_task.timeout.count() + lagNs);
        if (m_stage.arrivals)
            m_figures.serviceCensored.record(m_task.timeout.count());
        return;
    }
    m_figures.failedLatency.record(sample.endNs - sample.startNs + lagNs);
}

} // namespace lapbench
