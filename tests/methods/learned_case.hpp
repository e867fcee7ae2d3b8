// Problems whose activation is learned, and their objective computed from the rows alone.
#pragma once

#include "methods/learned_activation/learned_activation.hpp"
#include "methods/learned_activation/learned_steps.hpp"

#include "methods/fit_case.hpp"

namespace weft::testing {

using namespace detail;

struct LearnedCase : FitCase {
  LearnedCase(TableRows rows_, Task task_, Index features, const std::string& name)
      : FitCase(std::move(rows_), task_, features, name) {
    own().basis = ActivationBasis::Kind::rbf;
    own().grid_points = 10;
    options.lambda = 1e-6;
  }
  LearnedActivationOptions& own() { return options.use<LearnedActivationOptions>(); }
};

/// Normal inputs; each output is a sum of h over a few directions, plus noise.
inline TableRows ridge_functions(Index rows, Index inputs, Index outputs, double noise, double (*h)(double)) {
  TableRows data = sectors(rows, inputs, 2, true);
  data.y = Matrix(outputs, rows);
  const Random random(5, RandomStream::noise);
  for (Index o = 0; o < outputs; ++o)
    for (Index i = 0; i < rows; ++i) {
      data.y(o, i) = 2.0 * static_cast<double>(o) + noise * random.normal(static_cast<std::uint64_t>(i), 99);
      for (Index k = 0; k < 3; ++k) {
        double z = 0;
        for (Index j = 0; j < inputs; ++j)
          z += data.x(j, i) * random.normal(static_cast<std::uint64_t>(k + 10 * o), static_cast<std::uint32_t>(j));
        data.y(o, i) += h(z);
      }
    }
  return data;
}

inline TableRows waves(Index rows, Index outputs, double noise = 0.1) {
  return ridge_functions(rows, 2, outputs, noise, [](double z) { return std::sin(1.5 * z); });
}

inline LearnedProblem learned_problem(const Problem& problem, bool bspline = false) {
  return {problem, bspline
                       ? ActivationBasis::bspline(-6, 6, problem.options.own<LearnedActivationOptions>().grid_points, 3)
                       : ActivationBasis::rbf(-6, 6, problem.options.own<LearnedActivationOptions>().grid_points)};
}

/// J from the rows alone.
inline double dense_objective(const LearnedCase& c, const LearnedProblem& learned, const LearnedPoint& point,
                              double lambda) {
  const Dense z = c.features(learned.map(point.a));
  const Eigen::Map<const Dense> v(point.v.data(), point.v.rows(), point.v.cols());
  const Dense f = v.transpose() * z;
  double sum = 0, total = 0;
  for (Index i = 0; i < c.rows.rows(); ++i) {
    total += c.weight(i);
    double largest = -1e300, exponentials = 0, mine = 0;
    for (Index o = 0; o < f.rows(); ++o) {
      const double score = f(o, i) + point.intercepts[static_cast<std::size_t>(o)];
      const double y = c.rows.y(o, i);
      if (c.task == Task::regression) sum += c.weight(i) * (y - score) * (y - score);
      if (c.task == Task::binary) sum += c.weight(i) * std::log1p(std::exp(-y * score));
      largest = std::max(largest, score);
      if (y > 0) mine = score;
    }
    if (c.task != Task::multiclass) continue;
    for (Index o = 0; o < f.rows(); ++o)
      exponentials += std::exp(f(o, i) + point.intercepts[static_cast<std::size_t>(o)] - largest);
    sum += c.weight(i) * (largest + std::log(exponentials) - mine);
  }
  Dense r = Dense::Identity(v.rows(), v.rows());
  if (!learned.penalty.identity()) r = Eigen::Map<const Dense>(learned.penalty.matrix.data(), v.rows(), v.rows());
  double norm = 0;
  for (Index i = 0; i < c.rows.rows(); ++i)
    norm += c.weight(i) / total * z.col(i).squaredNorm() / static_cast<double>(z.rows());
  const double functions = static_cast<double>(point.a.size());
  for (std::size_t i = 0; i < point.a.size(); ++i) {
    norm += 1e-8 / functions * point.a[i] * point.a[i];
    if (i > 0 && i + 1 < point.a.size())
      norm += c.options.own<LearnedActivationOptions>().smoothness / functions *
              std::pow(point.a[i - 1] - 2 * point.a[i] + point.a[i + 1], 2);
  }
  return sum / total + lambda * norm * (v.transpose() * r * v).trace();
}

/// Gradient of J in a coordinate of the point, by central differences.
template <class Coordinate>
double slope(const LearnedCase& c, const LearnedProblem& learned, LearnedPoint point, double lambda,
             Coordinate coordinate) {
  double& x = coordinate(point);
  const double middle = x;
  const double step = 1e-5 * std::max(1.0, std::abs(middle));
  x = middle + step;
  const double above = dense_objective(c, learned, point, lambda);
  x = middle - step;
  return (above - dense_objective(c, learned, point, lambda)) / (2 * step);
}

}  // namespace weft::testing
