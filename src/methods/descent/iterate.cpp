#include "methods/descent/iterate.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

// A fork costs more than the sum it would halve below some 10⁵ rows.
constexpr Index kUpdatedRows = Index{1} << 16;
// The average needs differences of sums of scales: this is how many digits they may lose.
constexpr double kSmallestScale = 1e-3;

std::vector<double> to_vector(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.cols()};
}

void from_vector(const std::vector<double>& values, Index rows, Matrix& matrix) {
  matrix.reshape(rows, rows == 0 ? 0 : static_cast<Index>(values.size()) / rows);
  std::copy(values.begin(), values.end(), matrix.data());
}

}  // namespace

Iterate::Iterate(Index features, const std::vector<double>& intercepts)
    : coefficients_(features, static_cast<Index>(intercepts.size())),
      sums_(features, coefficients_.cols()),
      scale_before_(features, coefficients_.cols()),
      scales_(intercepts.size(), 1.0),
      scale_sums_(intercepts.size(), 0.0),
      norm_squares_(intercepts.size(), 0.0),
      intercepts_(intercepts),
      intercept_sums_(intercepts) {}

void Iterate::multiply(Index output, double factor) {
  norm_squares_[at(output)] *= factor * factor;
  if (factor == 0) return;
  scales_[at(output)] *= factor;
  if (scales_[at(output)] < kSmallestScale) fold();
}

double Iterate::at_centre(Index output, const GramRows& gram, Index position) const {
  return scale(output) * gram.dot(position, coefficients_, output);
}

void Iterate::add(Index output, const FeatureStream& stream, const GramRows& gram, Index position, double b,
                  const double* values, const Run& run) {
  double& square = norm_squares_[at(output)];
  square += b * (2 * at_centre(output, gram, position) + b * gram.diagonal(position));
  if (square < 0) square = 0;  // rounding; written so that NaN stays
  const double stored = b / scale(output);
  const Index t = stream.column(position);
  coefficients_(t, output) = stored;
  scale_before_(t, output) = scale_sums_[at(output)];
  double* f = predictions_.row(output);
  const Index rows = predictions_.cols();
  parallel_for((rows + kUpdatedRows - 1) / kUpdatedRows, run.thread_count(), [&](Index k) {
    for (Index i = k * kUpdatedRows; i < std::min(rows, (k + 1) * kUpdatedRows); ++i) f[i] += stored * values[i];
  });
}

void Iterate::project(Index output, double radius) {
  const double norm = std::sqrt(norm_square(output));
  if (norm > radius) multiply(output, radius / norm);
}

void Iterate::count() {
  counted_ += 1;
  for (std::size_t k = 0; k < scales_.size(); ++k) {
    scale_sums_[k] += scales_[k];
    intercept_sums_[k] += intercepts_[k];
  }
  largest_norm_ = std::max(largest_norm_, norm());
}

void Iterate::fold() {
  for (Index t = 0; t < coefficients_.rows(); ++t) {
    for (Index k = 0; k < outputs(); ++k) {
      sums_(t, k) += coefficients_(t, k) * (scale_sums_[at(k)] - scale_before_(t, k));
      scale_before_(t, k) = 0;
      coefficients_(t, k) *= scale(k);
    }
  }
  for (Index k = 0; k < outputs(); ++k) {
    for (Index i = 0; i < predictions_.cols(); ++i) predictions_(k, i) *= scale(k);
    scales_[at(k)] = 1;
    scale_sums_[at(k)] = 0;
  }
}

double Iterate::norm() const {
  return std::sqrt(*std::max_element(norm_squares_.begin(), norm_squares_.end()));
}

bool Iterate::finite() const {
  return std::all_of(norm_squares_.begin(), norm_squares_.end(), [](double q) { return std::isfinite(q); });
}

Matrix Iterate::average() const {
  Matrix result = sums_;
  for (Index i = 0; i < result.rows() * result.cols(); ++i) result.data()[i] /= counted_;
  return result;
}

std::vector<double> Iterate::average_intercepts() const {
  std::vector<double> result = intercept_sums_;
  for (double& value : result) value /= counted_;
  return result;
}

std::vector<std::vector<double>> Iterate::save(bool with_predictions) const {
  return {to_vector(coefficients_),
          to_vector(sums_),
          with_predictions ? to_vector(predictions_) : std::vector<double>{},
          norm_squares_,
          intercepts_,
          intercept_sums_,
          {largest_norm_, counted_}};
}

void Iterate::load(const std::vector<std::vector<double>>& arrays) {
  from_vector(arrays.at(0), coefficients_.rows(), coefficients_);
  from_vector(arrays.at(1), sums_.rows(), sums_);
  from_vector(arrays.at(2), outputs(), predictions_);
  norm_squares_ = arrays.at(3);
  intercepts_ = arrays.at(4);
  intercept_sums_ = arrays.at(5);
  largest_norm_ = arrays.at(6).at(0);
  counted_ = arrays.at(6).at(1);
}

}  // namespace weft::detail
