#pragma once

#include "core/base/result.h"
#include "core/load/negotiated.h"
#include "core/plan/plan.h"

#include <curl/curl.h>

#include <memory>
#include <string>

namespace lapbench {

/// What TLS rests on in a trial: the certificates that servers are checked against, read once for all connections (a
/// system's are well over a hundred), and the client's own. Immutable; any thread. Outlives the handles it was applied
/// to.
class CurlTrust {
public:
    /// Reads the files. Handshakes tell `negotiated`, which outlives this, what they agreed on. Problems: a file that
    /// cannot be read, a key that is not the certificate's or is encrypted.
    static Result<std::unique_ptr<CurlTrust>> load(const WireOptions& options, Negotiated& negotiated);

    void apply(CURL* easy) const;

private:
    CurlTrust(const WireOptions& options, Negotiated& negotiated) : m_options(options), m_negotiated(negotiated) {}
    /// CURLOPT_SSL_CTX_FUNCTION; the last argument is a CurlTrust.
    static CURLcode setUp(CURL* easy, void* sslContext, void* trust);
    void tell(const void* ssl) const;
    friend struct TrustCallbacks;

    const WireOptions m_options;
    Negotiated& m_negotiated;
    std::shared_ptr<void> m_store; ///< an X509_STORE; null where nothing is verified or TLS is not OpenSSL's
};

} // namespace lapbench
