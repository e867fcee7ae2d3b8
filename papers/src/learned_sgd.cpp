#include "learned_sgd.hpp"

#include <weft/error.hpp>

#include "dense.hpp"
#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::papers {

namespace {

constexpr Index kDegree = 3;           // of the B-splines
constexpr double kSmoothness = 10;     // of the norm in which starts have length 1, as the library's fits have it
constexpr double kLeastSquare = 1e-8;  // likewise
constexpr Index kNormRows = 1000;      // likewise

/// ⟨w_m, x⟩: the identity in place of the activation, nothing that multiplies it.
FeatureMap projections_of(const FeatureMap& map) {
  std::vector<FeaturePart> parts = map.parts();
  for (FeaturePart& part : parts) {
    part.family.activation = find_activation("identity");
    part.family.amplitude = 1;
    part.centres.scales.clear();
  }
  return FeatureMap::from_parts(std::move(parts), map.inputs());
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double square(const Matrix& v) {
  return std::inner_product(v.data(), v.data() + v.rows() * v.cols(), v.data(), 0.0);
}

class Descent {
 public:
  Descent(const FeatureMap& map, const Rows& rows, bool logistic, const SgdOptions& options, const Run& run)
      : projections_(projections_of(map)), rows_(rows), logistic_(logistic), options_(options), run_(run) {
    const FeaturePart& part = map.parts().front();
    for (Index m = 0; m < map.features(); ++m) scales_.push_back(part.scale(m));
    choose_basis();
    start(*part.family.activation);
  }

  void run_epochs() {
    for (Index epoch = 0; epoch < options_.epochs; ++epoch) {
      const std::vector<Index> order =
          Random(options_.seed + static_cast<std::uint64_t>(epoch), Draws::fit).permutation(rows_.count());
      double loss = 0;
      for (Index first = 0; first < rows_.count(); first += options_.batch) {
        run_.check_cancelled();
        const Index count = std::min(options_.batch, rows_.count() - first);
        loss += step(take_rows(rows_, {order.begin() + first, order.begin() + first + count}));
      }
      if (!std::isfinite(loss))
        throw Error(ErrorKind::data, "stochastic gradient descent diverged", {}, "use a smaller learning rate");
    }
  }

  ActivationPtr activation() const { return std::make_shared<LearnedActivation>(basis_, a_); }
  const Matrix& weights() const { return v_; }
  const std::vector<double>& intercepts() const { return intercepts_; }

 private:
  Matrix project(View<const double> x) const {
    Matrix z(projections_.features(), x.cols);
    projections_.smoothings(x, z, run_);
    return z;
  }

  /// The grid covers the projections of the rows.
  void choose_basis() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (Index first = 0; first < rows_.count(); first += 2048) {
      const Matrix z = project(rows_.x.view().col_range(first, std::min<Index>(2048, rows_.count() - first)));
      const auto [least, most] = std::minmax_element(z.data(), z.data() + z.rows() * z.cols());
      low = std::min(low, *least);
      high = std::max(high, *most);
    }
    if (low == high) low -= 0.5, high += 0.5;
    basis_ = options_.basis == ActivationBasis::Kind::rbf
                 ? ActivationBasis::rbf(low, high, options_.grid_points)
                 : ActivationBasis::bspline(low, high, options_.grid_points, kDegree);
    for (Index i = 0; i < basis_.count; ++i) bumps_.push_back(LearnedActivation::basis_function(basis_, i));
  }

  /// a: the activation of the map, of length 1; V: random, of variance 1/S.
  void start(const Activation& h) {
    a_ = nearest_coefficients(h);
    const double length = std::sqrt(squared_norm());
    for (double& a : a_) a /= length;
    const Random random(options_.seed, Draws::fit);
    v_ = Matrix(projections_.features(), rows_.y.rows());
    for (Index m = 0; m < v_.rows(); ++m)
      for (Index o = 0; o < v_.cols(); ++o)
        v_(m, o) = random.normal(static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(o)) /
                   std::sqrt(static_cast<double>(v_.rows()));
    intercepts_.assign(static_cast<std::size_t>(v_.cols()), 0.0);
  }

  /// Least squares on a fine even grid, with a little ridge: bumps that overlap would cancel in large amounts.
  std::vector<double> nearest_coefficients(const Activation& h) const {
    constexpr Index kPointsPerStep = 8;
    const Index points = kPointsPerStep * basis_.count + 1;
    Matrix values(basis_.count, points), gram(basis_.count, basis_.count);
    std::vector<double> z, target;
    for (Index p = 0; p < points; ++p) {
      z.push_back(basis_.low() +
                  (basis_.high() - basis_.low()) * static_cast<double>(p) / static_cast<double>(points - 1));
      target.push_back(h.value(z.back()));
    }
    std::vector<double> cross;
    for (Index i = 0; i < basis_.count; ++i) {
      bumps_[static_cast<std::size_t>(i)]->value_block(points, z.data(), 0.0, values.row(i));
      cross.push_back(std::inner_product(target.begin(), target.end(), values.row(i), 0.0));
    }
    add_gram(values, gram);
    for (Index i = 0; i < basis_.count; ++i) gram(i, i) += 1e-6 * static_cast<double>(points);
    if (!cholesky(gram)) throw Error(ErrorKind::data, "the basis functions are linearly dependent");
    solve_cholesky(gram, cross);
    return cross;
  }

  /// Mean square of the features over some rows, evenly spaced, and of the second differences of a.
  double squared_norm() const {
    const Index stride = std::max<Index>(1, rows_.count() / kNormRows);
    std::vector<Index> positions;
    for (Index row = 0; row < rows_.count(); row += stride) positions.push_back(row);
    const Matrix features = activate(project(take_rows(rows_, positions).x));
    const double* const first = features.data();
    const auto count = static_cast<double>(features.rows() * features.cols());
    double square = std::inner_product(first, first + features.rows() * features.cols(), first, 0.0) / count;
    const auto functions = static_cast<double>(basis_.count);
    square += kLeastSquare / functions * dot(a_, a_);
    for (std::size_t i = 0; i + 2 < a_.size(); ++i) {
      const double difference = a_[i] - 2 * a_[i + 1] + a_[i + 2];
      square += kSmoothness / functions * difference * difference;
    }
    return square;
  }

  /// s_m h(z): features × rows.
  Matrix activate(const Matrix& z) const {
    Matrix features(z.rows(), z.cols());
    LearnedActivation(basis_, a_).value_block(z.rows() * z.cols(), z.data(), 0.0, features.data());
    for (Index m = 0; m < z.rows(); ++m)
      for (Index i = 0; i < z.cols(); ++i) features(m, i) *= scales_[static_cast<std::size_t>(m)];
    return features;
  }

  /// One step on these rows; returns the sum of their losses before it.
  double step(const Rows& batch) {
    const Matrix z = project(batch.x);
    const Matrix features = activate(z);
    Matrix slopes = transposed_product(v_, features);  // outputs × rows: f, then ∂ℓ/∂f over the number of rows
    const double loss = differentiate(batch.y, slopes);
    // ∂/∂a_i = Σ (Σ_o V_mo ∂ℓ/∂f_o) s_m B_i(z), ∂/∂V = features · slopesᵀ.
    Matrix pulls(z.rows(), z.cols());
    for (Index m = 0; m < z.rows(); ++m)
      for (Index o = 0; o < v_.cols(); ++o)
        for (Index i = 0; i < z.cols(); ++i)
          pulls(m, i) += scales_[static_cast<std::size_t>(m)] * v_(m, o) * slopes(o, i);
    Matrix v_gradient = product_transposed(features, slopes);
    const double imbalance = 4 * options_.balance * (dot(a_, a_) - square(v_));
    Matrix values(z.rows(), z.cols());
    const Index count = z.rows() * z.cols();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      bumps_[i]->value_block(count, z.data(), 0.0, values.data());
      const double slope = std::inner_product(pulls.data(), pulls.data() + count, values.data(), imbalance * a_[i]);
      a_[i] -= options_.learning_rate * slope;
    }
    const double shrinkage = 2 * options_.lambda * static_cast<double>(v_.rows()) - imbalance;
    for (Index k = 0; k < v_.rows() * v_.cols(); ++k)
      v_.data()[k] -= options_.learning_rate * (v_gradient.data()[k] + shrinkage * v_.data()[k]);
    project();
    for (Index o = 0; o < slopes.rows(); ++o)
      intercepts_[static_cast<std::size_t>(o)] -=
          options_.learning_rate * std::accumulate(slopes.row(o), slopes.row(o) + slopes.cols(), 0.0);
    return loss;
  }

  void project() {
    if (!options_.radius) return;
    const double length = std::sqrt(dot(a_, a_));
    if (length <= *options_.radius) return;
    for (double& a : a_) a *= *options_.radius / length;
  }

  /// Replaces f less its intercepts by the slopes of the mean loss; returns the sum of the losses.
  double differentiate(const Matrix& y, Matrix& f) const {
    double loss = 0;
    for (Index i = 0; i < f.cols(); ++i) {
      for (Index o = 0; o < f.rows(); ++o) f(o, i) += intercepts_[static_cast<std::size_t>(o)];
      loss += !logistic_ ? squared_row(y, f, i) : f.rows() == 1 ? binary_row(y, f, i) : softmax_row(y, f, i);
      for (Index o = 0; o < f.rows(); ++o) f(o, i) /= static_cast<double>(f.cols());
    }
    return loss;
  }

  static double squared_row(const Matrix& y, Matrix& f, Index i) {
    double loss = 0;
    for (Index o = 0; o < f.rows(); ++o) {
      const double residual = f(o, i) - y(o, i);
      loss += residual * residual;
      f(o, i) = 2 * residual;
    }
    return loss;
  }

  static double binary_row(const Matrix& y, Matrix& f, Index i) {
    const double margin = y(0, i) * f(0, i);
    const double tail = std::exp(-std::abs(margin));
    f(0, i) = -y(0, i) * (margin > 0 ? tail / (1 + tail) : 1 / (1 + tail));
    return std::log1p(tail) + std::max(0.0, -margin);
  }

  static double softmax_row(const Matrix& y, Matrix& f, Index i) {
    double largest = f(0, i), sum = 0, chosen = 0;
    for (Index o = 1; o < f.rows(); ++o) largest = std::max(largest, f(o, i));
    for (Index o = 0; o < f.rows(); ++o) {
      if (y(o, i) > 0) chosen = f(o, i) - largest;
      sum += f(o, i) = std::exp(f(o, i) - largest);
    }
    for (Index o = 0; o < f.rows(); ++o) f(o, i) = f(o, i) / sum - (y(o, i) > 0 ? 1 : 0);
    return std::log(sum) - chosen;
  }

  FeatureMap projections_;
  const Rows& rows_;
  bool logistic_;
  const SgdOptions& options_;
  const Run& run_;
  std::vector<double> scales_;  // s_m
  ActivationBasis basis_;
  std::vector<ActivationPtr> bumps_;  // B_i
  std::vector<double> a_;
  Matrix v_;  // features × outputs
  std::vector<double> intercepts_;
};

}  // namespace

Model descend_stochastically(const Encoder& encoder, const FeatureMap& map, const Rows& rows, const SgdOptions& options,
                             const Run& run) {
  const bool logistic = encoder.target().task != Task::regression;
  Descent descent(map, rows, logistic, options, run);
  descent.run_epochs();
  ModelParts parts{.encoder = encoder, .map = map.with_activation(descent.activation())};
  parts.coefficients = descent.weights();
  parts.intercepts = descent.intercepts();
  parts.probabilistic = logistic;
  return Model(std::move(parts));
}

}  // namespace weft::papers
