// EncodeOptions as JSON, for the files that keep them.
#pragma once

#include <weft/encoder_statistics.hpp>

#include "core/json_text.hpp"

namespace weft::detail {

Json options_json(const EncodeOptions& options);
EncodeOptions options_from(const Json& json);  ///< throws on values that are not allowed

}  // namespace weft::detail
