#pragma once

#include "core/stats/summary.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace lapbench {

/// What client and server have settled on, as the first connection of a trial that knows it tells. One for all workers;
/// any thread.
class Negotiated {
public:
    void tellHttp(std::string version) { tell(m_http, m_httpKnown, std::move(version)); }
    void tellTls(TlsFigures tls) { tell(m_tls, m_tlsKnown, std::move(tls)); }
    bool httpKnown() const { return m_httpKnown.load(std::memory_order_relaxed); }
    bool tlsKnown() const { return m_tlsKnown.load(std::memory_order_relaxed); }

    /// "1.1", "2", "3"; empty: nothing told.
    std::string http() const
    {
        const std::lock_guard lock(m_mutex);
        return m_http.value_or(std::string());
    }
    std::optional<TlsFigures> tls() const
    {
        const std::lock_guard lock(m_mutex);
        return m_tls;
    }

private:
    template <typename T>
    void tell(std::optional<T>& place, std::atomic<bool>& known, T value)
    {
        const std::lock_guard lock(m_mutex);
        if (!place)
            place = std::move(value);
        known.store(true, std::memory_order_relaxed);
    }

    mutable std::mutex m_mutex;
    std::optional<std::string> m_http;
    std::optional<TlsFigures> m_tls;
    std::atomic<bool> m_httpKnown{false}, m_tlsKnown{false};
};

} // namespace lapbench
