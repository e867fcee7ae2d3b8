#include "model/predictor.hpp"

#include <algorithm>
#include <cmath>

#include "compute/cpu/vector_kernels.hpp"
#include "compute/device_matrix.hpp"
#include "compute/gpu.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"
#include "features/device_features.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/linear_scores.hpp"
#include "model/buffers.hpp"
#include "model/class_probabilities.hpp"
#include "model/member_scores.hpp"

namespace weft::detail {

namespace {

static_assert(Predictor::kBlockRows % kStripRows == 0);

}  // namespace

Predictor::Predictor(const ModelParts& parts, const PredictOptions& options)
    : parts_(parts),
      task_(parts.encoder.target().task),
      outputs_(static_cast<Index>(parts.intercepts.size())),
      probabilities_(parts.probabilistic || !parts.calibration.slope.empty()
                         ? static_cast<Index>(parts.encoder.target().classes.size())
                         : 0),
      with_std_(options.with_std),
      threshold_(options.decision.threshold) {
  if (with_std_ && parts.variance_factor.rows() == 0)
    throw Error(ErrorKind::option, "standard deviations are not available for this model", "‹std›",
                "fit it with ‹std›");
}

void Predictor::predict(View<const double> x, PredictionBlock& block, const Run& run) const {
  block.scores.reshape(x.cols, outputs_);
  block.values.reshape(x.cols, value_count());
  block.probabilities.reshape(probabilities_ > 0 ? x.cols : 0, probabilities_);
  block.std.reshape(with_std_ ? x.cols : 0, with_std_ ? outputs_ : 0);
  for (Index i = 0; i < x.cols; ++i) std::copy(parts_.intercepts.begin(), parts_.intercepts.end(), block.scores.row(i));
  add_member_scores(parts_.members, x, block.scores, run);
  if (const Device& device = device_for_features(x.cols, run); device.has_own_memory())
    return predict_on(device, x, block, run);
  Buffers buffers;
  const Index strips = tile_count(x.cols, kStripRows);
  // A single strip runs on the calling thread, and the threads share its features.
  const int threads = strips == 1 ? run.thread_count() : 1;
  parallel_for(strips, run.thread_count(), [&](Index k) {
    const Tile rows = tile(k, x.cols, kStripRows);
    Matrix phi = buffers.take();
    predict_strip(x.col_range(rows.first, rows.count), rows.first, phi, block, threads);
    buffers.give_back(std::move(phi));
  });
}

const Device& Predictor::device_for_features(Index rows, const Run& run) const {
  if (!parts_.members.empty() || with_std_) return cpu();
  const auto numbers = static_cast<double>(rows) * static_cast<double>(parts_.map.features());
  return device_for(run, parts_.map, numbers * static_cast<double>(parts_.map.inputs().columns() + outputs_));
}

/// The whole block at once, its features in the device's memory.
void Predictor::predict_on(const Device& device, View<const double> x, PredictionBlock& block, const Run& run) const {
  DeviceMatrix<double> phi(device, parts_.map.features(), x.cols);
  smoothings_on(device, parts_.map, x, phi, run);
  device.multiply(1, transpose(phi.view()), parts_.coefficients, 1, block.scores);
  for (Index i = 0; i < x.cols; ++i)
    interpret(block.scores.row(i), block.values.row(i), probabilities_ > 0 ? block.probabilities.row(i) : nullptr);
}

void Predictor::predict_strip(View<const double> x, Index first, Matrix& phi, PredictionBlock& block,
                              int threads) const {
  if (parts_.members.empty()) {
    if (phi.cols() < x.cols) phi = Matrix::unset(parts_.map.features(), x.cols);  // every element is set below
    phi.reshape(parts_.map.features(), x.cols);
    parts_.map.smoothings(x, phi, {.threads = threads});
    add_row_scores(parts_.coefficients, phi, block.scores.view().row_range(first, x.cols));
  }
  for (Index i = first; i < first + x.cols; ++i)
    interpret(block.scores.row(i), block.values.row(i), probabilities_ > 0 ? block.probabilities.row(i) : nullptr);
  if (with_std_) write_std(phi, first, block.std);
}

void Predictor::interpret(const double* scores, double* values, double* probabilities) const {
  write_value(scores, values);
  if (probabilities_ > 0) class_probabilities(parts_.calibration, task_, outputs_, scores, probabilities);
  if (threshold_) *values = probabilities[1] >= *threshold_ ? 1 : 0;
}

// Least squares with Gaussian noise of standard deviation s: the coefficients have covariance s²(LLᵀ)⁻¹ and the
// target's mean s²/W, so that a new row has variance s²(1 + 1/W + ‖L⁻¹(φ − φ̄)‖²). Overwrites Φ.
void Predictor::write_std(Matrix& phi, Index first, Matrix& std) const {
  for (std::size_t t = 0; t < parts_.variance_means.size(); ++t)
    for (Index i = 0; i < phi.cols(); ++i) phi(static_cast<Index>(t), i) -= parts_.variance_means[t];
  solve_lower(parts_.variance_factor, phi, 1);
  std::vector<double> squares(static_cast<std::size_t>(phi.cols()), 1 + parts_.intercept_variance);
  for (Index t = 0; t < phi.rows(); ++t)
    for (Index i = 0; i < phi.cols(); ++i) squares[static_cast<std::size_t>(i)] += phi(t, i) * phi(t, i);
  for (Index i = 0; i < phi.cols(); ++i)
    for (Index k = 0; k < outputs_; ++k)
      std(first + i, k) = parts_.noise[static_cast<std::size_t>(k)] * std::sqrt(squares[static_cast<std::size_t>(i)]);
}

void Predictor::write_value(const double* scores, double* value) const {
  switch (task_) {
    case Task::binary:
      *value = scores[0] > 0 ? 1 : 0;
      return;
    case Task::multiclass:
      *value = static_cast<double>(std::max_element(scores, scores + outputs_) - scores);
      return;
    case Task::regression:
    case Task::none:
      parts_.loss.predict(outputs_, scores, value);
  }
}

}  // namespace weft::detail
