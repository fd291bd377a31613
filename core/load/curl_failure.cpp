#include "core/load/curl_failure.h"

#include <cerrno>
#include <cstring>

namespace lapbench {

Failure connectFailure(int error, const std::string& otherwise)
{
    const std::string message = error != 0 ? std::strerror(error) : otherwise;
    switch (error) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL:
        return {ErrorKind::clientLimit, Phase::connect, message};
    case ETIMEDOUT:
        return {ErrorKind::connectTimeout, Phase::connect, message};
    case ECONNRESET:
        return {ErrorKind::reset, Phase::connect, message};
    default:
        return {ErrorKind::connectRefused, Phase::connect, message};
    }
}

bool isTlsFailure(CURLcode code)
{
    switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED:
        return true;
    default:
        return false;
    }
}

Failure openFailure(CURL* easy, CURLcode code, int socketErrno, const std::string& message)
{
    long error = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
    const std::string text = message.empty() ? curl_easy_strerror(code) : message;
    if (code == CURLE_OPERATION_TIMEDOUT)
        return {ErrorKind::connectTimeout, Phase::connect, text};
    if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY)
        return {ErrorKind::resolve, Phase::connect, text};
    // A peer that is lost during the handshake has reset or closed a connection, and not failed in TLS.
    if (isTlsFailure(code) && error != ECONNRESET)
        return {ErrorKind::tls, Phase::connect, text};
    return connectFailure(socketErrno != 0 ? socketErrno : static_cast<int>(error), text);
}

Failure transferFailure(CURL* easy, CURLcode code, const TransferState& state, const std::string& message)
{
    long error = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
    const std::string text = message.empty() ? curl_easy_strerror(code) : message;
    const Phase phase = state.headDone ? Phase::readBody : Phase::waitHead;
    if (isTlsFailure(code))
        return openFailure(easy, code, state.socketErrno, message);
    switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
        return openFailure(easy, code, state.socketErrno, message);
    case CURLE_OPERATION_TIMEDOUT:
        if (!state.connected)
            return {ErrorKind::connectTimeout, Phase::connect, text};
        return {ErrorKind::timeout, state.sent ? phase : Phase::send, text};
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
        return {ErrorKind::closedEarly, phase, text};
    case CURLE_SEND_ERROR:
        // The poller saw the reset before a read did; the request may be out long since, and the error number is of
        // another call.
        if (text.starts_with("select/poll"))
            return {ErrorKind::reset, state.sent ? phase : Phase::send, text};
        return {error == EPIPE ? ErrorKind::closedEarly : ErrorKind::reset, Phase::send, text};
    case CURLE_RECV_ERROR:
        if (!state.connected) // the proxy would not make a tunnel
            return {ErrorKind::connectRefused, Phase::connect, text};
        if (error == 0 && text.starts_with("Too large response headers")) // 7.88 has no code of its own for it
            return {ErrorKind::tooLarge, Phase::waitHead, text};
        if (text.find("unexpected eof") != std::string::npos)
            return {ErrorKind::closedEarly, phase, text};
        if (text.find("SSL routines") != std::string::npos && error == 0)
            return {ErrorKind::tls, phase, text};
        // With TLS the error number may be that of another call; the sentence is of this one.
        if (error == ECONNRESET || error == 0 || text.find(std::strerror(ECONNRESET)) != std::string::npos)
            return {ErrorKind::reset, phase, text};
        return {ErrorKind::closedEarly, phase, text};
    case CURLE_HTTP2_STREAM:
        return {ErrorKind::reset, phase, text};
    case CURLE_UNSUPPORTED_PROTOCOL: // of a redirect; also what libcurl says of an answer that is no HTTP
        return {text.starts_with("Protocol") ? ErrorKind::unexpectedStatus : ErrorKind::malformed,
                text.starts_with("Protocol") ? Phase::check : phase, text};
    case CURLE_TOO_MANY_REDIRECTS:
        return {ErrorKind::unexpectedStatus, Phase::check, text};
    case CURLE_OUT_OF_MEMORY: // this is how libcurl 7.88 refuses a header line over 100 KB
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE:
#endif
        return {ErrorKind::tooLarge, Phase::waitHead, "the head of the answer is larger than libcurl takes"};
    default:
        return {ErrorKind::malformed, phase, text};
    }
}

} // namespace lapbench
