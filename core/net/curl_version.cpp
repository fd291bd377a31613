#include "core/net/curl_version.h"

#include <curl/curl.h>

namespace lapbench {

std::string libcurlVersion()
{
    return curl_version_info(CURLVERSION_NOW)->version;
}

} // namespace lapbench
