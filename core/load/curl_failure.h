#pragma once

#include "core/load/transport.h"

#include <curl/curl.h>

#include <string>

namespace lapbench {

/// The failure that an error number of connect() or socket() stands for.
Failure connectFailure(int error, const std::string& otherwise);

/// Why no connection came about. `message` is libcurl's own, may be empty; `socketErrno` that of the socket, or 0.
Failure openFailure(CURL* easy, CURLcode code, int socketErrno, const std::string& message);

/// Whether the code tells of TLS.
bool isTlsFailure(CURLcode code);

/// How far the transfer of a failed request had come.
struct TransferState {
    bool connected = false, sent = false, headDone = false;
    int socketErrno = 0;
};
/// Why a transfer failed.
Failure transferFailure(CURL* easy, CURLcode code, const TransferState& state, const std::string& message);

} // namespace lapbench
