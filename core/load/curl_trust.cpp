#include "core/load/curl_trust.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace lapbench {

namespace {

using SslContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

/// The oldest entry of OpenSSL's queue of errors, which it empties.
std::string sslReason()
{
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    if (ERR_SYSTEM_ERROR(code))
        return std::strerror(ERR_GET_REASON(code));
    const char* reason = ERR_reason_error_string(code);
    return reason != nullptr ? reason : "it is no PEM file";
}

int noPassword(char*, int, int, void*)
{
    return -1; // nobody is there to be asked
}

Result<void> checkClientFiles(const std::string& cert, const std::string& key)
{
    if (cert.empty())
        return {};
    const SslContext context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    SSL_CTX_set_default_passwd_cb(context.get(), noPassword);
    if (SSL_CTX_use_certificate_chain_file(context.get(), cert.c_str()) != 1)
        return Problem{"cert", "\"" + cert + "\" holds no certificate that can be used (" + sslReason() + ")",
                       "give a PEM file with the client's certificate"};
    const std::string& keyFile = key.empty() ? cert : key;
    if (SSL_CTX_use_PrivateKey_file(context.get(), keyFile.c_str(), SSL_FILETYPE_PEM) != 1)
        return Problem{"key", "\"" + keyFile + "\" holds no key that can be used (" + sslReason() + ")",
                       "give a PEM file with the certificate's key, without a pass phrase"};
    return {};
}

Result<std::shared_ptr<void>> readStore(const std::string& caCert)
{
    const curl_version_info_data* libcurl = curl_version_info(CURLVERSION_NOW);
    std::shared_ptr<X509_STORE> store(X509_STORE_new(), &X509_STORE_free);
    // As libcurl does: a certificate that is trusted by itself needs no chain to a root.
    X509_STORE_set_flags(store.get(), X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
    const char* file = !caCert.empty() ? caCert.c_str() : libcurl->cainfo;
    const char* folder = caCert.empty() ? libcurl->capath : nullptr;
    const bool fileRead = file != nullptr && X509_STORE_load_file(store.get(), file) == 1;
    if (!caCert.empty() && !fileRead)
        return Problem{"cacert", "\"" + caCert + "\" holds no certificates that can be used (" + sslReason() + ")",
                       "give a PEM file with the certificates to trust"};
    if (folder != nullptr)
        X509_STORE_load_path(store.get(), folder);
    ERR_clear_error();
    return std::shared_ptr<void>(store);
}

bool isOpenSsl()
{
    const char* name = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return name != nullptr && std::string_view(name).starts_with("OpenSSL");
}

int trustIndex()
{
    static const int kIndex = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return kIndex;
}

} // namespace

struct TrustCallbacks {
    static void onHandshake(const SSL* ssl, int where, int)
    {
        if ((where & SSL_CB_HANDSHAKE_DONE) == 0)
            return;
        if (const void* trust = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), trustIndex()))
            static_cast<const CurlTrust*>(trust)->tell(ssl);
    }
};

Result<std::unique_ptr<CurlTrust>> CurlTrust::load(const WireOptions& options, Negotiated& negotiated)
{
    if (auto checked = checkClientFiles(options.cert, options.key); !checked)
        return checked.problem();
    std::unique_ptr<CurlTrust> trust(new CurlTrust(options, negotiated));
    if (!options.insecure) {
        auto store = readStore(options.caCert);
        if (!store)
            return store.problem();
        if (isOpenSsl())
            trust->m_store = std::move(store).value();
    }
    return trust;
}

void CurlTrust::apply(CURL* easy) const
{
    const auto setText = [easy](CURLoption option, const std::string& text) {
        if (!text.empty())
            curl_easy_setopt(easy, option, text.c_str());
    };
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, m_options.insecure ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, m_options.insecure ? 0L : 2L);
    // A connection that is opened anew shakes hands in full, as a new client's would.
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    setText(CURLOPT_SSLCERT, m_options.cert);
    setText(CURLOPT_SSLKEY, m_options.key.empty() ? m_options.cert : m_options.key);
    if (!isOpenSsl()) {
        setText(CURLOPT_CAINFO, m_options.caCert);
        return;
    }
    curl_easy_setopt(easy, CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, setUp);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, this);
}

CURLcode CurlTrust::setUp(CURL*, void* sslContext, void* trust)
{
    auto* context = static_cast<SSL_CTX*>(sslContext);
    auto* self = static_cast<CurlTrust*>(trust);
    if (self->m_store)
        SSL_CTX_set1_cert_store(context, static_cast<X509_STORE*>(self->m_store.get()));
    SSL_CTX_set_ex_data(context, trustIndex(), trust);
    SSL_CTX_set_info_callback(context, TrustCallbacks::onHandshake);
    // What is left of a message goes out from another buffer than its beginning did.
    SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
    return CURLE_OK;
}

void CurlTrust::tell(const void* of) const
{
    if (m_negotiated.tlsKnown())
        return;
    const auto* ssl = static_cast<const SSL*>(of);
    TlsFigures tls;
    tls.version = SSL_get_version(ssl);
    tls.cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl));
    tls.verified = !m_options.insecure;
    tls.resumed = SSL_session_reused(ssl) == 1;
    const unsigned char* protocol = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl, &protocol, &size);
    if (size != 0)
        tls.protocol.assign(reinterpret_cast<const char*>(protocol), size);
    m_negotiated.tellTls(std::move(tls));
}

} // namespace lapbench
