#include "methods/learned_activation/learned_steps.hpp"

#include "compute/device.hpp"
#include "core/random.hpp"
#include "linalg/cholesky.hpp"
#include "objective/logistic_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// Some rows, gathered, with all that a step needs of them.
struct Batch {
  Matrix x;                     // inputs × rows
  Matrix y;                     // outputs × rows
  std::vector<double> weights;  // rows: w divided by its mean over all rows and by the number of these
  Matrix z;                     // features × rows: Z(a)
  Matrix u;                     // (outputs · N) × rows
};

class StochasticDescent {
 public:
  StochasticDescent(const LearnedProblem& learned, const TrainingBlock& rows, bool logistic, double lambda)
      : learned_(learned), problem_(learned.problem), rows_(rows), logistic_(logistic), lambda_(lambda) {
    if (rows.weights == nullptr) return;
    mean_weight_ = std::accumulate(rows.weights, rows.weights + rows.rows(), 0.0) / static_cast<double>(rows.rows());
  }

  void gather(const Index* rows, Index count) {
    batch_.x.reshape(rows_.x.rows, count);
    batch_.y.reshape(rows_.y.rows, count);
    batch_.weights.assign(static_cast<std::size_t>(count), 1 / (mean_weight_ * static_cast<double>(count)));
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < rows_.x.rows; ++j) batch_.x(j, i) = rows_.x(j, rows[i]);
      for (Index o = 0; o < rows_.y.rows; ++o) batch_.y(o, i) = rows_.y(o, rows[i]);
      if (rows_.weights != nullptr) batch_.weights[static_cast<std::size_t>(i)] *= rows_.weights[rows[i]];
    }
  }

  /// One step on the gathered rows; returns their mean loss before it.
  double step(LearnedPoint& point, double rate) {
    batch_.z.reshape(problem_.map.features(), batch_.x.cols());
    problem_.map.project(batch_.x, projections(), problem_.run);
    const LearnedActivation activation(learned_.basis, point.a);
    problem_.map.activate_projected(batch_.x, projections_, activation, batch_.z.view(), problem_.run);
    basis_sums(learned_, batch_.x, point.v, batch_.u);
    const double loss = slopes(point);
    const Index functions = learned_.basis.count;
    const double a_strength = 2 * lambda_ * penalty_form(learned_.penalty, point.v, 1);
    const double v_strength = 2 * lambda_ * learned_.squared_norm(point.a);
    const std::vector<double> a = point.a;
    for (Index i = 0; i < functions; ++i) {
      double gradient = a_strength * cpu().dot(functions, learned_.norm.row(i), a.data());
      for (Index o = 0; o < slopes_.rows(); ++o)
        gradient += cpu().dot(slopes_.cols(), slopes_.row(o), batch_.u.row(o * functions + i));
      point.a[static_cast<std::size_t>(i)] -= rate * gradient;
    }
    Matrix gradient = penalised(point.v, v_strength);
    cpu().multiply(1, batch_.z, transpose(slopes_), 1, gradient);
    for (Index i = 0; i < gradient.rows() * gradient.cols(); ++i) point.v.data()[i] -= rate * gradient.data()[i];
    if (!problem_.options.intercept) return loss;
    for (Index o = 0; o < slopes_.rows(); ++o)
      for (Index i = 0; i < slopes_.cols(); ++i) point.intercepts[static_cast<std::size_t>(o)] -= rate * slopes_(o, i);
    return loss;
  }

 private:
  View<double> projections() {
    projections_.reshape(problem_.map.features(), batch_.x.cols());
    return projections_.view();
  }

  Matrix penalised(const Matrix& v, double strength) const {
    Matrix product(v.rows(), v.cols());
    if (!learned_.penalty.identity())
      add_symmetric_product(strength, learned_.penalty.matrix, v, product, 1);
    else
      for (Index i = 0; i < v.rows() * v.cols(); ++i) product.data()[i] = strength * v.data()[i];
    return product;
  }

  /// Leaves w·∂ℓ/∂f of the batch in slopes_ and returns Σ wℓ.
  double slopes(const LearnedPoint& point) {
    const Index outputs = batch_.y.rows();
    const Index rows = batch_.x.cols();
    slopes_.reshape(outputs, rows);
    Matrix curvature(outputs + 1, rows);
    cpu().multiply(1, transpose(point.v), batch_.z, 0, slopes_);
    double loss = 0;
    for (Index o = 0; o < outputs; ++o)
      for (Index i = 0; i < rows; ++i) slopes_(o, i) += point.intercepts[static_cast<std::size_t>(o)];
    for (Index i = 0; i < rows; ++i) {
      const double weight = batch_.weights[static_cast<std::size_t>(i)];
      if (logistic_)
        loss += weight * (outputs == 1 ? binary_row(batch_.y(0, i), slopes_(0, i), curvature, i)
                                       : softmax_row(batch_.y, slopes_, curvature, i));
      for (Index o = 0; o < outputs; ++o) {
        const double residual = slopes_(o, i) - batch_.y(o, i);
        if (!logistic_) loss += weight * residual * residual;
        slopes_(o, i) = weight * (logistic_ ? slopes_(o, i) : 2 * residual);
      }
    }
    return loss;
  }

  const LearnedProblem& learned_;
  const Problem& problem_;
  const TrainingBlock& rows_;
  bool logistic_;
  double lambda_;
  double mean_weight_ = 1;
  Batch batch_;
  Matrix projections_;
  Matrix slopes_;
};

}  // namespace

LearnedPoint descend_stochastically(const LearnedProblem& learned, LearnedPoint start, bool logistic,
                                    FitReport& report) {
  const Problem& problem = learned.problem;
  const std::optional<double>& given = problem.options.lambda;
  const auto& options = problem.options.own<LearnedActivationOptions>();
  const TrainingBlock* rows = problem.rows.in_memory();
  if (rows == nullptr)
    throw Error(ErrorKind::memory, "sgd needs the rows in memory", "‹solver›", "allow more with ‹max_memory›");
  const double lambda = given ? learned.penalty.effective(*given) : 0;
  StochasticDescent descent(learned, *rows, logistic, lambda);
  LearnedPoint point = std::move(start);
  Index epoch = 0;
  for (; epoch < options.epochs && !problem.run.out_of_time(); ++epoch) {
    const std::vector<Index> order =
        Random(problem.family.seed + static_cast<std::uint64_t>(epoch), RandomStream::fit).permutation(rows->rows());
    point.objective = 0;
    for (Index first = 0; first < rows->rows(); first += options.batch) {
      problem.run.check_cancelled();
      const Index count = std::min<Index>(options.batch, rows->rows() - first);
      descent.gather(order.data() + first, count);
      point.objective += descent.step(point, options.learning_rate) * static_cast<double>(count);
    }
    point.objective /= static_cast<double>(rows->rows());
    problem.run.report("sgd", static_cast<double>(epoch + 1), static_cast<double>(options.epochs));
    if (!std::isfinite(point.objective))
      throw Error(ErrorKind::option, "sgd diverged", "‹learning_rate›", "give a smaller one");
  }
  if (epoch < options.epochs)
    report.warnings.push_back(
        fmt::format("the time limit was reached after {} of {} epochs; raise ‹max_time›", epoch, *options.epochs));
  report.set("lambda", given.value_or(0));
  report.set("epochs", static_cast<double>(epoch));
  report.set("mean loss of the last epoch", point.objective);
  return point;
}

}  // namespace weft::detail
