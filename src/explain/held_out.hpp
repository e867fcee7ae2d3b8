// Predictions of held-out rows, with their targets.
#pragma once

#include <weft/model.hpp>

#include <vector>

namespace weft::detail {

/// All matrices are rows × what PredictionBlock says.
struct HeldOut {
  TargetInfo target;
  FittedLoss loss = {};
  Matrix scores = {};
  Matrix values = {};
  Matrix probabilities = {};  ///< empty where the model has none
  Matrix targets = {};
  std::vector<double> weights = {};  ///< always one per row

  Index rows() const { return values.rows(); }
  Index truth(Index row) const { return static_cast<Index>(targets(row, 0)); }  ///< class position
  Index guess(Index row) const { return static_cast<Index>(values(row, 0)); }   ///< likewise
  /// What ranks the rows by class k. Two classes have one score, that of the second. Of several it is the probability
  /// where the model has them: a constant added to all logits of a row changes nothing, so that logits of different
  /// rows cannot be compared.
  double score(Index row, Index k) const {
    if (scores.cols() == 1) return scores(row, 0);
    return probabilities.cols() > 0 ? probabilities(row, k) : scores(row, k);
  }
};

/// Holds all rows of `data`. Throws if there are no rows.
HeldOut predict_held_out(const Model& model, const Data& data, const Run& run);

}  // namespace weft::detail
