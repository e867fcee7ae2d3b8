// The interface as OpenAPI 3.1 describes it.
#pragma once

#include "serve/served_model.hpp"

#include <string>

namespace weft::detail {

/// With a schema of a row of this model. `token`: requests must bear one.
std::string openapi(const ServedModel& served, const ServeRequest& server);

}  // namespace weft::detail
