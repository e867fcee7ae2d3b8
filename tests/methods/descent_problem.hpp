// Small problems for the tests of the descents: rows in memory, a map, and the regularised risk from first principles.
#pragma once

#include "core/random.hpp"
#include "dense_algebra.hpp"
#include "methods/table_rows.hpp"
#include "objective/loss.hpp"

#include <Eigen/Core>

#include <cmath>
#include <string>
#include <vector>

namespace weft {

using namespace detail;

using testing_rows::TableRows;

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Matrix x(rows, cols);
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i < cols; ++i)
      x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return x;
}

/// Smooth functions of the first inputs plus a little noise; `classes`: their signs.
inline Matrix targets(const Matrix& x, Index outputs, bool classes = false) {
  const Matrix noise = normal_matrix(outputs, x.cols(), 99);
  Matrix y(outputs, x.cols());
  for (Index k = 0; k < outputs; ++k)
    for (Index i = 0; i < x.cols(); ++i) {
      const double f = std::sin(x(0, i) + static_cast<double>(k)) + 0.5 * x(1, i) + 0.1 * noise(k, i);
      y(k, i) = classes ? (f > 0 ? 1.0 : -1.0) : f;
    }
  return y;
}

/// `Own`: the options of the method.
template <class Own>
struct BasicScene {
  static constexpr Index kInputs = 3;
  FamilyOptions family;
  FitOptions options;
  Run run;
  Task task = Task::regression;
  Matrix x;
  TableRows rows;
  FeatureMap map;

  BasicScene(const std::string& name, Index features, Index row_count, Index outputs = 1, bool classes = false,
             std::vector<double> weights = {})
      : family(options_of(name, features)),
        task(classes ? Task::binary : Task::regression),
        x(normal_matrix(kInputs, row_count, 5)),
        rows(x, targets(x, outputs, classes), std::move(weights)),
        map(FeatureMap::draw(family, Inputs::plain(kInputs))) {
    options.lambda = 0.05;
    own().batch = 20;
    run.threads = 1;
  }

  Own& own() { return options.use<Own>(); }
  Problem problem() const { return {map, rows, task, options, family, run}; }

  static FamilyOptions options_of(const std::string& name, Index features) {
    FamilyOptions o;
    o.family = name;
    o.features = features;
    o.sigma = 0.9;
    o.gamma = 1.6;
    o.pool = 4;
    o.seed = 11;
    return o;
  }
};

using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline EigenMatrix to_eigen(const Matrix& m) {
  return Eigen::Map<const EigenMatrix>(m.data(), m.rows(), m.cols());
}

/// Φ itself, features × rows.
inline EigenMatrix features_of(const auto& scene) {
  Matrix phi(scene.map.features(), scene.x.cols());
  scene.map.values(scene.x, phi.view(), scene.run);
  return to_eigen(phi);
}

inline Eigen::VectorXd raw_coefficients(const auto& scene, const FitResult& fit, Index output = 0) {
  const std::vector<double> logs = scene.map.log_amplitudes();
  Eigen::VectorXd a(scene.map.features());
  for (Index t = 0; t < a.size(); ++t) a[t] = fit.coefficients(t, output) / std::exp(logs[static_cast<std::size_t>(t)]);
  return a;
}

/// Mean loss + λ aᵀGa of f = intercept + Φᵀa.
inline double risk(const auto& scene, const Loss& loss, const Eigen::VectorXd& a, double intercept) {
  const Eigen::VectorXd f = features_of(scene).transpose() * a;
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) sum += loss.value(intercept + f[i], scene.rows.y(0, i));
  return sum / static_cast<double>(f.size()) + *scene.options.lambda * a.dot(to_eigen(scene.map.gram()) * a);
}

/// The minimiser of the risk with the squared loss, by a dense solve.
inline Eigen::VectorXd least_squares_optimum(const auto& scene, double intercept) {
  const EigenMatrix phi = features_of(scene);
  const auto m = static_cast<double>(phi.cols());
  Eigen::VectorXd y(phi.cols());
  for (Index i = 0; i < y.size(); ++i) y[i] = scene.rows.y(0, i) - intercept;
  const Eigen::MatrixXd normal = phi * phi.transpose() + m * *scene.options.lambda * to_eigen(scene.map.gram()) +
                                 1e-10 * Eigen::MatrixXd::Identity(phi.rows(), phi.rows());
  return testing::solve_symmetric(normal, phi * y);
}

inline double number_of(const FitReport& report, const std::string& name) {
  for (const auto& [key, value] : report.numbers)
    if (key == name) return value;
  return std::nan("");
}
inline std::string word_of(const FitReport& report, const std::string& name) {
  for (const auto& [key, value] : report.words)
    if (key == name) return value;
  return {};
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  return (to_eigen(a) - to_eigen(b)).cwiseAbs().maxCoeff();
}

}  // namespace weft
