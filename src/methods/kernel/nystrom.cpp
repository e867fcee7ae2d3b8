#include "methods/kernel/nystrom.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"
#include "data/rows/piece_sums.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

constexpr Index kTile = 256;          // features that one thread takes at a time
constexpr double kMostJitter = 1e-6;  // of the mean diagonal; beyond it K_MM is not a kernel matrix

/// outputs × rows: βᵀΦ. Sums over tiles of features, whose values are contiguous, in the order of the tiles.
Matrix block_scores(const Device& device, View<const double> phi, const Matrix& beta, int threads) {
  if (device.has_own_memory()) {
    Matrix scores(beta.cols(), phi.cols);
    device.multiply(1, transpose(beta), phi, 0, scores);
    return scores;
  }
  const Index tiles = tile_count(phi.rows, kTile);
  std::vector<Matrix> parts(at(tiles), Matrix(beta.cols(), phi.cols));
  parallel_for(tiles, threads, [&](Index p) {
    const Tile part = tile(p, phi.rows, kTile);
    const View<const double> some = phi.row_range(part.first, part.count);
    if (beta.cols() == 1)
      cpu().multiply_vector(1, transpose(some), beta.row(part.first), 0, parts[at(p)].data());
    else
      cpu().multiply(1, transpose(beta.view().row_range(part.first, part.count)), some, 0, parts[at(p)]);
  });
  for (std::size_t p = 1; p < parts.size(); ++p)
    for (Index o = 0; o < beta.cols(); ++o)
      for (Index i = 0; i < phi.cols; ++i) parts.front()(o, i) += parts[p](o, i);
  return std::move(parts.front());
}

/// out (M × outputs) += Φ·valuesᵀ.
void add_moments(const Device& device, View<const double> phi, const Matrix& values, View<double> out, int threads) {
  if (device.has_own_memory()) return device.multiply(1, phi, transpose(values), 1, out);
  parallel_for(tile_count(phi.rows, kTile), threads, [&](Index p) {
    const Tile part = tile(p, phi.rows, kTile);
    const View<const double> some = phi.row_range(part.first, part.count);
    if (values.rows() == 1)
      cpu().multiply_vector(1, some, values.data(), 1, out.row(part.first));
    else
      cpu().multiply(1, some, transpose(values), 1, out.row_range(part.first, part.count));
  });
}

/// Row means of beta against the feature means: the mean score of every output.
std::vector<double> mean_scores(const std::vector<double>& means, const Matrix& beta) {
  std::vector<double> scores(at(beta.cols()), 0.0);
  for (Index t = 0; t < beta.rows(); ++t)
    for (Index o = 0; o < beta.cols(); ++o) scores[at(o)] += means[at(t)] * beta(t, o);
  return scores;
}

}  // namespace

Nystrom::Nystrom(const Problem& problem, double cache_bytes)
    : problem_(problem),
      threads_(problem.run.thread_count()),
      worker_(Worker::for_equations(problem.run, problem.map.features())),
      rows_(problem, cache_bytes, FeatureRows::device_for(problem)) {
  factor_kernel();
  square_factor();
}

// Landmarks that repeat each other leave K_MM singular to rounding: L is that of K_MM + jitter · mean diagonal. The
// factorisation only writes the lower triangle, so that the upper one is there to begin again.
void Nystrom::factor_kernel() {
  lower_ = problem_.map.gram(problem_.run);
  const Index size = lower_.rows();
  std::vector<double> diagonal;
  for (Index s = 0; s < size; ++s) diagonal.push_back(lower_(s, s));
  for (const double value : diagonal) mean_diagonal_ += value / static_cast<double>(size);
  if (!(mean_diagonal_ > 0)) mean_diagonal_ = 1;
  jitter_ = std::numeric_limits<double>::epsilon() * static_cast<double>(size);
  for (; jitter_ <= kMostJitter; jitter_ *= 10) {
    for (Index s = 0; s < size; ++s) {
      for (Index t = 0; t < s; ++t) lower_(s, t) = lower_(t, s);
      lower_(s, s) = diagonal[at(s)] + jitter_ * mean_diagonal_;
    }
    if (worker_.device->factor(lower_, threads_)) return;
  }
  throw Error(ErrorKind::data, "the kernel matrix of the landmarks is not positive semidefinite", "‹kernel›",
              "look for extreme values in the inputs");
}

void Nystrom::square_factor() {
  const Index size = lower_.rows();
  const auto share = [&](Index s) { return problem_.shares.empty() ? 1.0 : problem_.shares[at(s)]; };
  Matrix scaled(size, size);  // √D L, zeros above the diagonal
  std::vector<double> sums(at(size), 0.0);
  double total = 0;
  for (Index s = 0; s < size; ++s) {
    total += share(s);
    for (Index t = 0; t <= s; ++t) {
      scaled(s, t) = std::sqrt(share(s)) * lower_(s, t);
      sums[at(t)] += share(s) * lower_(s, t);
    }
  }
  square_ = Matrix(size, size);
  const auto pairs = triangle_tiles(0, tile_count(size, kTile));
  parallel_for(static_cast<Index>(pairs.size()), threads_, [&](Index piece) {
    const Tile rows = tile(pairs[at(piece)].row, size, kTile);
    const Tile cols = tile(pairs[at(piece)].col, size, kTile);
    const View<double> out = block(square_.view(), rows, cols);
    const Tile below{rows.first, size - rows.first};
    cpu().multiply(1 / static_cast<double>(size), transpose(block(scaled.view(), below, rows)),
                   block(scaled.view(), below, cols), 0, out);
    if (problem_.options.intercept && total > 0)
      for (Index i = 0; i < out.rows; ++i)
        for (Index j = 0; j < out.cols; ++j)
          out(i, j) -= sums[at(rows.first + i)] * sums[at(cols.first + j)] / (total * static_cast<double>(size));
  });
}

void Nystrom::precondition(double lambda) {
  const Index size = square_.rows();
  double largest = 0;
  for (Index s = 0; s < size; ++s) largest = std::max(largest, square_(s, s));
  preconditioner_.reshape(size, size);
  // R only steers the search: where λ alone does not keep it positive definite, more does no harm.
  double shift = std::max(lambda, std::numeric_limits<double>::epsilon() * static_cast<double>(size) * largest);
  for (;; shift *= 10) {
    for (Index s = 0; s < size; ++s) {
      std::copy_n(square_.row(s), s, preconditioner_.row(s));
      preconditioner_(s, s) = square_(s, s) + shift;
    }
    if (worker_.device->factor(preconditioner_, threads_)) return;
    if (!(shift < std::numeric_limits<double>::max() / 100))
      throw Error(ErrorKind::data, "the equations of the landmarks are not finite", "‹kernel›",
                  "look for extreme values in the inputs");
  }
}

double Nystrom::weight(const FeatureBlock& block, Index i, const RowFactor& factor) const {
  return (block.weights == nullptr ? 1 : block.weights[i]) * factor(block.first_row + i);
}

void Nystrom::sum_targets() {
  const auto outputs = at(problem_.rows.outputs());
  moments_ = {0,
              std::vector<double>(outputs),
              std::vector<double>(at(lower_.rows())),
              std::vector<double>(outputs),
              Matrix(lower_.rows(), problem_.rows.outputs()),
              false};
  MatrixSums sums(problem_.rows, 1, problem_.rows.outputs() + 1);
  rows_.for_each_target([&](const FeatureBlock& block) {
    double* const some = sums.of(block.first_row).row(0);
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = weight(block, i, factor_);
      some[outputs] += w;
      for (std::size_t o = 0; o < outputs && problem_.options.intercept; ++o)
        some[o] += w * block.y(static_cast<Index>(o), i);
    }
  });
  const Matrix all = sums.all();
  moments_.target_means.assign(all.row(0), all.row(0) + outputs);
  moments_.weight = all.row(0)[outputs];
  if (!(moments_.weight > 0))
    throw Error(ErrorKind::data, "there are too few rows (of positive weight) to fit", "‹lambda›",
                "give a lambda, or more rows");
  for (double& mean : moments_.target_means) mean /= moments_.weight;
  MatrixSums squares(problem_.rows, 1, problem_.rows.outputs());
  rows_.for_each_target([&](const FeatureBlock& block) {
    double* const some = squares.of(block.first_row).row(0);
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t o = 0; o < outputs; ++o) {
        const double y = block.y(static_cast<Index>(o), i) - moments_.target_means[o];
        some[o] += weight(block, i, factor_) * y * y / moments_.weight;
      }
  });
  const Matrix variances = squares.all();
  moments_.variances.assign(variances.row(0), variances.row(0) + outputs);
}

void Nystrom::fit_rows(RowFactor factor) {
  factor_ = std::move(factor);
  sum_targets();
  const Index outputs = problem_.rows.outputs();
  const Index size = lower_.rows();
  MatrixSums pieces(problem_.rows, size, outputs + 1);
  moments_.complete = rows_.for_each([&](const FeatureBlock& block) {
    Matrix values(outputs + 1, block.rows());  // weighted targets, then the weights themselves
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = weight(block, i, factor_);
      for (Index o = 0; o < outputs; ++o) values(o, i) = w * (block.y(o, i) - moments_.target_means[at(o)]);
      values(outputs, i) = w;
    }
    add_moments(rows_.device(), block.phi, values, pieces.of(block.first_row), threads_);
  });
  const Matrix sums = pieces.all();
  for (Index t = 0; t < size; ++t) {
    std::copy_n(sums.row(t), outputs, moments_.cross.row(t));
    if (problem_.options.intercept) moments_.feature_means[at(t)] = sums(t, outputs) / moments_.weight;
  }
}

// out = Σ w (k − mean)(k − mean)ᵀβ. The means of the right factor suffice: Σ w of it is then 0.
bool Nystrom::multiply(const Matrix& beta, Matrix& out) {
  MatrixSums pieces(problem_.rows, out.rows(), out.cols());
  const std::vector<double> means = mean_scores(moments_.feature_means, beta);
  const bool complete = rows_.for_each([&](const FeatureBlock& block) {
    Matrix scores = block_scores(rows_.device(), block.phi, beta, threads_);
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = weight(block, i, factor_);
      for (Index o = 0; o < scores.rows(); ++o) scores(o, i) = w * (scores(o, i) - means[at(o)]);
    }
    add_moments(rows_.device(), block.phi, scores, pieces.of(block.first_row), threads_);
  });
  out = pieces.all();
  return complete;
}

bool Nystrom::apply(double lambda, const Matrix& gamma, Matrix& out) {
  Matrix inner = gamma;
  solve_lower_transposed(preconditioner_, inner, threads_);
  Matrix beta = inner;
  solve_lower_transposed(lower_, beta, threads_);
  if (!multiply(beta, out)) return false;
  solve_lower(lower_, out, threads_);
  for (Index t = 0; t < out.rows(); ++t)
    for (Index o = 0; o < out.cols(); ++o) out(t, o) = out(t, o) / moments_.weight + lambda * inner(t, o);
  solve_lower(preconditioner_, out, threads_);
  return true;
}

Nystrom::Solution Nystrom::solve(double lambda, const Matrix& start, const ConjugateGradientOptions& options) {
  Solution solution{Matrix(lower_.rows(), problem_.rows.outputs()), moments_.target_means, {}, 0};
  solution.search.stopped = !moments_.complete;
  if (!moments_.complete) return solution;
  precondition(lambda);
  Matrix rhs = moments_.cross;
  for (Index t = 0; t < rhs.rows(); ++t)
    for (Index o = 0; o < rhs.cols(); ++o) rhs(t, o) /= moments_.weight;
  solve_lower(lower_, rhs, threads_);
  solve_lower(preconditioner_, rhs, threads_);
  Matrix gamma = start;
  if (gamma.rows() > 0) {
    cpu().multiply_lower_transposed(lower_, gamma);
    cpu().multiply_lower_transposed(preconditioner_, gamma);
  }
  const auto product = [&](const Matrix& in, Matrix& out) { return apply(lambda, in, out); };
  solution.search = conjugate_gradient(product, rhs, gamma, options);
  Matrix& beta = solution.coefficients;
  beta = solution.search.x;
  solve_lower_transposed(preconditioner_, beta, threads_);
  // With t = Lᵀβ the optimality conditions give (1/W)Σ w (y − f)² = variance − βᵀcross/W − λ‖t‖².
  for (Index o = 0; o < beta.cols(); ++o) {
    solution.train_mse += moments_.variances[at(o)];
    for (Index t = 0; t < beta.rows(); ++t) solution.train_mse -= lambda * beta(t, o) * beta(t, o);
  }
  solve_lower_transposed(lower_, beta, threads_);
  const std::vector<double> means = mean_scores(moments_.feature_means, beta);
  for (Index o = 0; o < beta.cols(); ++o) {
    solution.intercepts[at(o)] -= means[at(o)];
    for (Index t = 0; t < beta.rows(); ++t) solution.train_mse -= beta(t, o) * moments_.cross(t, o) / moments_.weight;
  }
  solution.train_mse = std::max(0.0, solution.train_mse) / static_cast<double>(beta.cols());
  return solution;
}

double Nystrom::relative_error(const Solution& solution, const RowFactor& factor) {
  const Index outputs = problem_.rows.outputs();
  MatrixSums pieces(problem_.rows, 1, outputs + 1);
  rows_.for_each([&](const FeatureBlock& block) {
    const Matrix scores = block_scores(rows_.device(), block.phi, solution.coefficients, threads_);
    double* const some = pieces.of(block.first_row).row(0);
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = weight(block, i, factor);
      some[outputs] += w;
      for (Index o = 0; o < scores.rows(); ++o) {
        const double error = block.y(o, i) - scores(o, i) - solution.intercepts[at(o)];
        some[o] += w * error * error;
      }
    }
  });
  const Matrix sums = pieces.all();
  double error = 0;
  for (Index o = 0; o < outputs; ++o)
    if (moments_.variances[at(o)] > 0)
      error += sums(0, o) / (sums(0, outputs) * moments_.variances[at(o)]) / static_cast<double>(outputs);
  return error;
}

}  // namespace weft::detail
