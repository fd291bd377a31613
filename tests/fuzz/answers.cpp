#include "tests/fuzz/answers.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace lapbench::test {

namespace {

[[noreturn]] void giveUp(const std::string& line)
{
    std::fprintf(stderr, "answers.txt: cannot read the line: %s\n", line.c_str());
    std::abort();
}

std::string unescaped(const std::string& text)
{
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
            continue;
        }
        const char kind = ++i < text.size() ? text[i] : '\0';
        if (kind == 'x' && i + 2 < text.size()) {
            bytes += static_cast<char>(std::strtoul(text.substr(i + 1, 2).c_str(), nullptr, 16));
            i += 2;
        } else if (kind == 'r' || kind == 'n' || kind == 't' || kind == '\\')
            bytes += kind == 'r' ? '\r' : kind == 'n' ? '\n' : kind == 't' ? '\t' : '\\';
        else
            giveUp(text);
    }
    return bytes;
}

Answer titled(const std::string& line)
{
    constexpr char kHead[] = "HEAD: ";
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos)
        giveUp(line);
    Answer answer;
    answer.name = line.substr(3, bar - 3);
    answer.verdict = line.substr(bar + 3);
    answer.toHead = answer.name.starts_with(kHead);
    return answer;
}

} // namespace

std::vector<Answer> handMadeAnswers(const std::string& path)
{
    std::ifstream file(path);
    std::vector<Answer> answers;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("== "))
            answers.push_back(titled(line));
        else if (line.empty() || (answers.empty() && line.starts_with("#")))
            continue;
        else if (answers.empty())
            giveUp(line);
        else if (line.starts_with("*")) {
            char* text = nullptr;
            const unsigned long count = std::strtoul(line.c_str() + 1, &text, 10);
            const std::string once = unescaped(*text == ' ' ? text + 1 : text);
            for (unsigned long i = 0; i < count; ++i)
                answers.back().bytes += once;
        } else
            answers.back().bytes += unescaped(line);
    }
    if (answers.empty())
        giveUp("(none in " + path + ")");
    return answers;
}

} // namespace lapbench::test
