#pragma once

#include <unistd.h>

#include <utility>

namespace lapbench {

/// A file descriptor that closes itself; below 0: none. One thread at a time.
class OwnedFd {
public:
    OwnedFd() = default;
    explicit OwnedFd(int fd) : m_fd(fd) {}
    OwnedFd(OwnedFd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    OwnedFd& operator=(OwnedFd&& other) noexcept
    {
        reset(std::exchange(other.m_fd, -1));
        return *this;
    }
    ~OwnedFd() { reset(); }

    int get() const { return m_fd; }
    bool open() const { return m_fd >= 0; }
    /// Hands it over: the caller closes it.
    int release() { return std::exchange(m_fd, -1); }
    void reset(int fd = -1)
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = fd;
    }

private:
    int m_fd = -1;
};

} // namespace lapbench
