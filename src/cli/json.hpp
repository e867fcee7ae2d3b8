// JSON documents that commands put together from the to_json of results.
#pragma once

#include <nlohmann/json.hpp>

namespace weft::cli {

using Json = nlohmann::ordered_json;

}  // namespace weft::cli
