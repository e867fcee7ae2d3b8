// Scores for intervals in a model file. The header has, where there are any,
//   "conformity": { "by": name, "counts": [scores of each table …], "loss": [rows, mean, variance, largest] }
// and the block "conformity" the scores that are kept, table after table.
#pragma once

#include <weft/conformal.hpp>

#include "core/block_file.hpp"

namespace weft::detail {

Json conformity_to_json(const Conformity& conformity);
std::vector<double> conformity_numbers(const Conformity& conformity);
/// Empty where the header has none. Throws Error(model) where header and block do not belong together.
Conformity conformity_from_json(const Json& header, const BlockFileReader& file);

}  // namespace weft::detail
