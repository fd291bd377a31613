#include "core/net/http_get.h"

#include <utility>

namespace lapbench {

Result<HttpAnswer> httpGet(const HttpGet& get, const std::function<bool()>& giveUp)
{
    HttpWay way;
    way.timeout = way.connectTimeout = get.timeout;
    HttpRequest request;
    request.url = get.url;
    request.headers = {{"Accept", "*/*"}};
    request.maxBytes = get.maxBytes;
    return HttpClient(std::move(way)).exchange(request, giveUp);
}

} // namespace lapbench
