// The iterates α^{(0)}, α^{(1)}, … of a functional descent, for every output at once: α = Σ_t a_t K(w_t, ·) in the
// scaled coefficients b_t of FeatureStream, with its norm and its values on a pool of rows kept up to date.
//
// A step multiplies all of α and adds one term. The product is kept as one number per output (the true coefficients are
// scale × what is stored), so that a step costs O(t) for the norm (Anonymous 2026, eq. 76) and O(pool) for the
// predictions.
#pragma once

#include "methods/descent/feature_stream.hpp"

#include <weft/run.hpp>

namespace weft::detail {

class Iterate {
 public:
  Iterate(Index features, const std::vector<double>& intercepts);

  Index outputs() const { return coefficients_.cols(); }

  /// α ← factor·α for one output. A factor of 0 is allowed only while α is 0.
  void multiply(Index output, double factor);
  /// α ← α + the feature at `position` of the stream with coefficient b; `values` are its smoothings on the pool.
  void add(Index output, const FeatureStream& stream, const GramRows& gram, Index position, double b,
           const double* values, const Run& run);
  /// Projects to bᵀGb ≤ radius².
  void project(Index output, double radius);
  /// Ends a step: the iterate enters the average.
  void count();
  /// Multiplies the scales out. At the ends of chunks, which do not depend on how a fit was interrupted.
  void fold();

  /// ⟨b, G row⟩ over the features before `position`: α at that centre, in the scale of GramRows.
  double at_centre(Index output, const GramRows& gram, Index position) const;
  double norm_square(Index output) const { return norm_squares_[static_cast<std::size_t>(output)]; }
  double norm() const;                                   ///< of the current iterate, the largest of all outputs
  double largest_norm() const { return largest_norm_; }  ///< of all iterates
  double scale(Index output) const { return scales_[static_cast<std::size_t>(output)]; }
  double prediction(Index output, Index row) const { return scale(output) * predictions_(output, row); }
  double& intercept(Index output) { return intercepts_[static_cast<std::size_t>(output)]; }
  const std::vector<double>& intercepts() const { return intercepts_; }
  bool finite() const;
  double counted() const { return counted_; }  ///< iterates in the average, the first included

  /// outputs × pool, of the true coefficients only right after fold().
  Matrix& predictions() { return predictions_; }
  const Matrix& coefficients() const { return coefficients_; }  ///< features × outputs; likewise

  /// (1/(t+1)) Σ over the iterates 0 … t, after fold().
  Matrix average() const;
  std::vector<double> average_intercepts() const;

  /// The state right after fold().
  std::vector<std::vector<double>> save(bool with_predictions) const;
  void load(const std::vector<std::vector<double>>& arrays);

 private:
  Matrix coefficients_;  ///< features × outputs, to be multiplied by scale
  Matrix sums_;          ///< features × outputs: Σ of past iterates, up to the last fold
  Matrix scale_before_;  ///< features × outputs: scale_sums_ when the feature came in
  Matrix predictions_;
  std::vector<double> scales_;
  std::vector<double> scale_sums_;  ///< Σ of scale over the iterates since the last fold
  std::vector<double> norm_squares_;
  std::vector<double> intercepts_;
  std::vector<double> intercept_sums_;
  double largest_norm_ = 0;
  double counted_ = 1;  ///< α^{(0)} = 0
};

}  // namespace weft::detail
