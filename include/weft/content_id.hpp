// Whether two models are the same.
#pragma once

#include <weft/model.hpp>

namespace WEFT_PUBLIC weft {

/// Sixteen hexadecimal digits: a checksum (CRC-64) of all that the model's file says of what it is and predicts. Times
/// and provenance (the command, the name of the data) are left out, so that equal runs give equal ids. It detects
/// differences, not forgeries.
std::string content_id(const Model& model);

}  // namespace weft
