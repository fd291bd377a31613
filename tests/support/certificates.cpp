#include "tests/support/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace lapbench::test {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
constexpr long kDay = 24L * 3600;

void must(bool done)
{
    if (!done)
        std::abort();
}

Key makeKey()
{
    Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    must(key != nullptr);
    return key;
}

/// Signed by `issuer` with `issuerKey`; by itself where there is none.
Certificate makeCertificate(const char* name, const char* extension, const char* value, EVP_PKEY* key, X509* issuer,
                            EVP_PKEY* issuerKey, long serial)
{
    Certificate certificate(X509_new(), &X509_free);
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDay);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay);
    X509_set_pubkey(certificate.get(), key);
    X509_NAME* subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), issuer != nullptr ? X509_get_subject_name(issuer) : subject);
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer != nullptr ? issuer : certificate.get(), certificate.get(), nullptr, nullptr, 0);
    X509_EXTENSION* extra = X509V3_EXT_conf(nullptr, &context, extension, value);
    must(extra != nullptr);
    X509_add_ext(certificate.get(), extra, -1);
    X509_EXTENSION_free(extra);
    must(X509_sign(certificate.get(), issuerKey, EVP_sha256()) != 0);
    return certificate;
}

template <typename Write>
void writeTo(const std::string& path, Write write)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    must(file != nullptr);
    must(write(file) == 1);
    must(std::fclose(file) == 0);
}

} // namespace

Certificates::Certificates()
{
    std::string pattern = (std::filesystem::temp_directory_path() / "lapbench-certificates-XXXXXX").string();
    must(::mkdtemp(pattern.data()) != nullptr);
    m_folder = pattern;
    const auto save = [](const std::string& path, X509* certificate) {
        writeTo(path, [certificate](std::FILE* out) { return PEM_write_X509(out, certificate); });
    };
    const auto saveKey = [](const std::string& path, EVP_PKEY* key) {
        writeTo(path, [key](std::FILE* out) {
            return PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
        });
    };
    const Key rootKey = makeKey(), serverKeyPair = makeKey(), clientKeyPair = makeKey();
    const Certificate root = makeCertificate("the authority", "basicConstraints", "critical,CA:TRUE", rootKey.get(),
                                             nullptr, rootKey.get(), 1);
    const Certificate served =
        makeCertificate("localhost", "subjectAltName", "DNS:localhost,DNS:name.test,IP:127.0.0.1", serverKeyPair.get(),
                        root.get(), rootKey.get(), 2);
    const Certificate client = makeCertificate("the client", "extendedKeyUsage", "clientAuth", clientKeyPair.get(),
                                               root.get(), rootKey.get(), 3);
    save(authority(), root.get());
    save(server(), served.get());
    saveKey(serverKey(), serverKeyPair.get());
    save(this->client(), client.get());
    saveKey(clientKey(), clientKeyPair.get());
}

Certificates::~Certificates()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

} // namespace lapbench::test
