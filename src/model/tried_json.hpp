// Alternatives that a fit compared, in reports and model files.
#pragma once

#include <weft/model.hpp>

#include "core/json_text.hpp"

namespace weft::detail {

Json tried_to_json(const TriedCandidate& tried);
TriedCandidate tried_from_json(const Json& json);

}  // namespace weft::detail
