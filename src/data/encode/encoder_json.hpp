// An encoder as a part of a larger JSON text, which need not be written and parsed again.
#pragma once

#include <weft/encoder.hpp>

#include "core/json_text.hpp"

namespace weft::detail {

/// Encoder::from_json of the text of `json`. Any other value throws Error(model).
Encoder encoder_from_json(const Json& json);

}  // namespace weft::detail
