#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lapbench {

/// What went wrong, as a value: where (a path in a plan, a file, a command), what, and what to do about it.
struct Problem {
    std::string path;    ///< where: "load.connections[1]", a file name, a URL; may be empty
    std::string message; ///< what is wrong, without a full stop
    std::string cure;    ///< what the user can do; may be empty

    bool operator==(const Problem&) const = default;
};

using Problems = std::vector<Problem>;

/// One sentence for a person: "path: message; cure".
inline std::string format(const Problem& problem)
{
    std::string text = problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
    if (!problem.cure.empty())
        text += "; " + problem.cure;
    return text;
}

/// A value, or the problem that kept it from being made. Any thread; no exceptions.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Problem problem) : m_state(std::in_place_index<1>, std::move(problem)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T& value() const&
    {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    T& value() &
    {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    T&& value() &&
    {
        assert(ok());
        return std::move(*std::get_if<0>(&m_state));
    }
    const Problem& problem() const
    {
        assert(!ok());
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Problem> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Problem problem) : m_problem(std::move(problem)), m_failed(true) {}

    bool ok() const { return !m_failed; }
    explicit operator bool() const { return ok(); }
    const Problem& problem() const
    {
        assert(m_failed);
        return m_problem;
    }

private:
    Problem m_problem;
    bool m_failed = false;
};

} // namespace lapbench
