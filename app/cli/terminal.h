#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace lapbench {

/// Columns a text takes on a terminal: code points, wide ones twice, combining ones not.
std::size_t displayWidth(std::string_view text);

/// The text as one line without characters that would steer a terminal: results, plans and the output of servers may
/// come from anybody. Line breaks become a blank.
std::string withoutControls(std::string_view text);

/// As many columns of the text as fit, with "…" where something was cut off.
std::string fitted(std::string_view text, std::size_t columns);

/// One sentence on stderr.
void complain(const Problem& problem);
void complain(const std::string& sentence);

/// Writes all of it to stdout at once; false where nobody takes it.
bool printOut(std::string_view text);

/// Whether both stdin and stderr are a terminal, so that a question can be asked.
bool canAsk();
/// Asks on stderr, reads a line; anything but yes is no.
bool askYesNo(const std::string& question);

/// One line on stderr that is written again and again; nothing where stderr is no terminal.
class StatusLine {
public:
    StatusLine();
    ~StatusLine(); ///< clear()
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    bool live() const { return m_live; }
    void show(std::string_view text);
    void clear();

private:
    bool m_live;
    bool m_shown = false;
};

} // namespace lapbench
