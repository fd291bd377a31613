#pragma once

#include "core/base/result.h"
#include "core/base/shown_text.h"

#include <string>
#include <string_view>

namespace lapbench {

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
