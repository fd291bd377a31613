#pragma once

#include <string>

namespace lapbench {

/// The version of the libcurl that is in use, "7.88.1". Any thread.
std::string libcurlVersion();

} // namespace lapbench
