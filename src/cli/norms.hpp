// Norms of a model's weightings, as train and info tell them.
#pragma once

#include <weft/model.hpp>

#include "cli/json.hpp"

#include <optional>
#include <vector>

namespace weft::cli {

/// One per output.
struct Norms {
  std::vector<double> rkhs;
  std::optional<std::vector<double>> l2p;  ///< absent where the family has none
};

/// Nothing above 10,000 features: they take features² numbers of memory and as much time.
std::optional<Norms> norms_of(const Model& model, const Run& run);
Json to_json(const Norms& norms);

}  // namespace weft::cli
