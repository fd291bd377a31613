#include "core/plan/json_scan.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace lapbench {

namespace {

using Json = nlohmann::ordered_json;

std::string placeOf(std::string_view text, std::size_t position)
{
    const std::string_view before = text.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - lineStart + 1);
}

/// Builds nothing; stops at the first thing that is wrong. The overrides' signatures are the library's.
class Scan final : public Json::json_sax_t {
public:
    Scan(std::string_view text, int deepest) : m_text(text), m_deepest(static_cast<std::size_t>(deepest)) {}

    const Problem& found() const { return m_problem; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override
    {
        if (m_keys.back().insert(name).second)
            return true;
        m_problem = {name.substr(0, 80), "stands twice in one object", "keep one of them"};
        return false;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        const std::size_t at = position == 0 ? 0 : std::min(position, m_text.size() + 1) - 1;
        m_problem = {"", "this is no JSON: the error is at " + placeOf(m_text, at), "correct the file there"};
        return false;
    }

private:
    bool open()
    {
        m_keys.emplace_back();
        if (m_keys.size() <= m_deepest)
            return true;
        m_problem = {"", "is nested deeper than " + std::to_string(m_deepest) + " levels", "make it flatter"};
        return false;
    }
    bool close()
    {
        m_keys.pop_back();
        return true;
    }

    std::string_view m_text;
    std::size_t m_deepest;
    std::vector<std::set<std::string>> m_keys;
    Problem m_problem;
};

} // namespace

Result<void> scanJson(std::string_view text, int deepest)
{
    Scan scan(text, deepest);
    if (Json::sax_parse(text, &scan))
        return {};
    return scan.found();
}

} // namespace lapbench
