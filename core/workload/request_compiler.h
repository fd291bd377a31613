#pragma once

#include "core/workload/request_script.h"

#include <optional>
#include <string>

namespace lapbench {

/// Turns one request of a workload into what it is rendered from. Used while a script is compiled; one thread.
class RequestCompiler {
public:
    /// `prefix` stands before the path of every problem ("requests[1]."). Keeps references.
    RequestCompiler(const RequestTemplate& request, const ScriptPlace& place, FeedShelf& feeds, std::string prefix);

    /// Compiles the texts and looks for the files. Problems: all of them, at once.
    Problems compileTexts();

    struct Compiled {
        RequestKind kind;
        RequestTexts texts;
    };
    /// The whole request, where compileTexts() found nothing. Once.
    Result<Compiled> finish();

private:
    TextTemplate compileText(const std::string& key, const std::string& text, TextPlace place);
    void checkStart();
    void checkBodyFile();
    bool isConstant() const;
    RequestTemplate sample(std::string body) const;
    RequestTexts textsFor(const PreparedRequest& prepared);

    std::filesystem::path bodyFile() const { return m_place.folder / m_request.bodyFile; }
    void problem(const std::string& key, std::string message, std::string cure);

    const RequestTemplate& m_request;
    const ScriptPlace& m_place;
    FeedShelf& m_feeds;
    const std::string m_prefix;
    Problems m_problems;
    unsigned m_placeholders = 0;
    std::uint64_t m_longest = 0; ///< bytes that the texts so far can have at most
    TextTemplate m_path, m_body;
    std::vector<TextTemplate> m_headers; ///< the values of the request's own
};

} // namespace lapbench
