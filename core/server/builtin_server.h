#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>

namespace lapbench {

/// The built-in HTTP/1.1 server of `serve`, tests and calibration; its routes are listed in the user's documentation.
/// Runs on `threads` threads of its own from start() until it is destroyed. Loopback only.
class BuiltinServer {
public:
    /// Port 0 takes a free one. Problems: port taken, no permission.
    static Result<std::unique_ptr<BuiltinServer>> start(std::uint16_t port, unsigned threads = 1);
    ~BuiltinServer();
    BuiltinServer(const BuiltinServer&) = delete;
    BuiltinServer& operator=(const BuiltinServer&) = delete;

    std::uint16_t port() const;
    std::uint64_t answered() const; ///< requests answered so far, those to /count not counted; any thread

private:
    struct State;
    explicit BuiltinServer(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace lapbench
