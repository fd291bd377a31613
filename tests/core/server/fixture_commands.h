#pragma once

#include "core/base/clock.h"
#include "core/net/http_get.h"
#include "core/server/supervisor.h"
#include "tests/core/server/marked_processes.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Commands that start the fixture server, for the tests of supervisor and guard. LAPBENCH_FIXTURE is its path.
inline const std::string kFixture = LAPBENCH_FIXTURE;
inline constexpr std::chrono::seconds kSoon{10}; ///< a deadline for what should take well under a second

inline std::string shellQuoted(const std::string& text)
{
    return "'" + text + "'";
}

inline bool eventually(const std::function<bool()>& holds)
{
    for (const std::int64_t start = lapbench::steadyNs();
         lapbench::steadyNs() - start < lapbench::Nanoseconds(kSoon).count();)
        if (holds())
            return true;
    return false;
}

inline lapbench::ServerCommand fixture(const ProcessMark& mark, std::vector<std::string> switches = {})
{
    lapbench::ServerCommand command;
    command.argv = {kFixture, "serve"};
    command.argv.insert(command.argv.end(), switches.begin(), switches.end());
    command.env = {mark.variable()};
    return command;
}

inline lapbench::ServerCommand shell(const ProcessMark& mark, const std::string& script)
{
    lapbench::ServerCommand command;
    command.argv = {"sh", "-c", script};
    command.env = {mark.variable()};
    return command;
}

inline bool answers(const lapbench::Supervisor& supervisor)
{
    const auto answer = lapbench::httpGet({supervisor.url() + "/"});
    return answer.ok() && answer.value().status == 200;
}
