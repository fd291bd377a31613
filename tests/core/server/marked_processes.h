#pragma once

#include "core/base/clock.h"

#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

/// Finds processes by a mark in the environment they were started with, wherever they stand in the process tree.
class ProcessMark {
public:
    ProcessMark()
    {
        static int number = 0;
        m_value = std::to_string(::getpid()) + "-" + std::to_string(++number);
    }
    std::pair<std::string, std::string> variable() const { return {kName, m_value}; }

    std::vector<pid_t> living() const
    {
        const std::string wanted = std::string(kName) + "=" + m_value;
        std::vector<pid_t> found;
        std::error_code error;
        for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
            const std::string name = at->path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos)
                continue;
            std::ifstream file(at->path() / "environ", std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            if (('\0' + text).find('\0' + wanted + '\0') != std::string::npos)
                found.push_back(static_cast<pid_t>(std::atoi(name.c_str())));
        }
        return found;
    }
    /// Whether all are gone before the deadline; what is left is killed, so that no test leaves anything behind.
    bool goneWithin(lapbench::Nanoseconds limit) const
    {
        for (const std::int64_t start = lapbench::steadyNs(); lapbench::steadyNs() - start < limit.count();) {
            if (living().empty())
                return true;
            std::this_thread::yield();
        }
        for (const pid_t pid : living())
            ::kill(pid, SIGKILL);
        return false;
    }

private:
    static constexpr const char* kName = "LAPBENCH_TEST_MARK";
    std::string m_value;
};
