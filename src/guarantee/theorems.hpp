// The theorems one by one: whether each applies to a model, and its lines.
#pragma once

#include <weft/certify.hpp>

#include "guarantee/bounds.hpp"
#include "guarantee/sample.hpp"
#include "guarantee/weighting_distance.hpp"

namespace weft::detail {

/// The model of --original.
struct Original {
  double train_loss = 0;  ///< on the same rows, mean over outputs
  std::vector<double> rkhs_norms;
  std::vector<double> intercepts;
  WeightingDistance distance;
};

/// All quantities that the theorems use, measured once.
struct Facts {
  const Model& model;
  Loss loss;
  double delta;
  /// Number of models from which a search over the rows chose this one: δ is divided among them, and the bound holds
  /// for whichever is chosen.
  double alternatives;
  double difference;  ///< as in CertifyOptions
  Sample sample;
  Constants constants;
  std::vector<double> rkhs_norms;
  std::optional<std::vector<double>> l2p_norms;
  std::optional<Original> original;
};

/// The lines of one theorem.
std::vector<BoundLine> theorem_lines(Theorem theorem, const Facts& facts);

}  // namespace weft::detail
