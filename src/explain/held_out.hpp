// Predictions of held-out rows, with their targets.
#pragma once

#include <weft/model.hpp>

#include <vector>

namespace weft::detail {

/// All matrices are rows × what PredictionBlock says.
struct HeldOut {
  TargetInfo target;
  Matrix scores = {};
  Matrix values = {};
  Matrix probabilities = {};  ///< empty where the model has none
  Matrix targets = {};
  std::vector<double> weights = {};  ///< always one per row

  Index rows() const { return values.rows(); }
  Index truth(Index row) const { return static_cast<Index>(targets(row, 0)); }  ///< class position
  Index guess(Index row) const { return static_cast<Index>(values(row, 0)); }   ///< likewise
  /// The score of class k; two classes have one score, that of the second.
  double score(Index row, Index k) const { return scores(row, scores.cols() == 1 ? 0 : k); }
};

/// Holds all rows of `data`. Throws if there are no rows.
HeldOut predict_held_out(const Model& model, const Data& data, const Run& run);

}  // namespace weft::detail
