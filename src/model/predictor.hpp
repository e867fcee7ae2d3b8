// Blocks of inputs to blocks of predictions, by the feature map's own code.
#pragma once

#include <weft/model.hpp>

namespace weft::detail {

class Device;

/// Throws where the model cannot decide so.
void check_decision(const Model& model, const DecisionOptions& decision);

/// Blocks must start at multiples of kBlockRows rows, and all but the last hold as many: then the strips of rows that
/// BLAS sees are fixed by the data, and with them the last bits of its sums.
class Predictor {
 public:
  static constexpr Index kBlockRows = 4096;

  /// `parts` must outlive it. Throws where the options ask for standard deviations that the model does not have.
  explicit Predictor(const ModelParts& parts, const PredictOptions& options = {});

  /// x: inputs × rows. Sets scores, values, probabilities and std of `block`.
  void predict(View<const double> x, PredictionBlock& block, const Run& run) const;

  Index value_count() const { return task_ == Task::regression ? outputs_ : 1; }  ///< per row
  Index probability_count() const { return probabilities_; }                      ///< per row; 0: there are none
  /// What the scores of one row mean: its values and, where there are any, probabilities.
  void interpret(const double* scores, double* values, double* probabilities) const;

 private:
  const Device& device_for_features(Index rows, const Run& run) const;
  void predict_on(const Device& device, View<const double> x, PredictionBlock& block, const Run& run) const;
  void predict_strip(View<const double> x, Index first, Matrix& phi, PredictionBlock& block, int threads) const;
  void write_std(Matrix& phi, Index first, Matrix& std) const;
  void write_value(const double* scores, double* value) const;

  const ModelParts& parts_;
  Task task_;
  Index outputs_;
  Index probabilities_;
  bool with_std_;
  std::optional<double> threshold_;
};

}  // namespace weft::detail
