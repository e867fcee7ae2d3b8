#include "fit/logistic_objective.hpp"

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/accumulator.hpp"
#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/tiles.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr Index kRowPiece = 256;      // rows whose scores one thread computes together
constexpr Index kFeaturePiece = 128;  // features whose gradient one thread sums
// Rows that are certain have no curvature; a little keeps P positive when all of them are.
constexpr double kLeastCurvature = 1e-10;
// A Gram takes as long as about T/40 evaluations. It is renewed after as many, so that neither a Gram that helps nor
// evaluations that crawl for want of one ever cost much more than the better of the two would have.
constexpr Index kFeaturesPerEvaluation = 40;

using blas::narrow;

/// scores (outputs × rows) = Bᵀ phi + β.
void score(const Matrix& x, View<const double> phi, View<double> scores) {
  const Index k = scores.rows;
  const double* intercepts = x.row(phi.rows);
  for (Index c = 0; c < k; ++c) std::fill_n(scores.row(c), scores.cols, intercepts[c]);
  if (k == 1)
    cblas_dgemv(CblasRowMajor, CblasTrans, narrow(phi.rows), narrow(phi.cols), 1.0, phi.data, narrow(phi.stride),
                x.data(), 1, 1.0, scores.data, 1);
  else
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(k), narrow(phi.cols), narrow(phi.rows), 1.0, x.data(),
                narrow(k), phi.data, narrow(phi.stride), 1.0, scores.data, narrow(scores.stride));
}

/// gradient (features × outputs) += phi · slopesᵀ.
void add_gradient(View<const double> phi, const Matrix& slopes, View<double> gradient) {
  if (gradient.cols == 1)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, narrow(phi.rows), narrow(phi.cols), 1.0, phi.data, narrow(phi.stride),
                slopes.data(), 1, 1.0, gradient.data, narrow(gradient.stride));
  else
    blas::add_outer(1, phi, slopes, gradient);
}

/// What one row adds; its scores are overwritten with the slopes ∂ℓ/∂f.
struct RowTerm {
  double loss = 0;
  double curvature = 0;
};

RowTerm binary_row(double y, double& score) {
  const double margin = y * score;
  const double tail = std::exp(-std::abs(margin));
  const double wrong = margin > 0 ? tail / (1 + tail) : 1 / (1 + tail);  // probability of the other class
  score = -y * wrong;
  return {std::max(-margin, 0.0) + std::log1p(tail), tail / ((1 + tail) * (1 + tail))};
}

RowTerm softmax_row(View<const double> y, View<double> scores, Index i) {
  const Index classes = scores.rows;
  double largest = scores(0, i);
  for (Index k = 1; k < classes; ++k) largest = std::max(largest, scores(k, i));
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += std::exp(scores(k, i) - largest);
  RowTerm term{largest + std::log(sum), 0};
  for (Index k = 0; k < classes; ++k) {
    const bool mine = y(k, i) > 0;
    if (mine) term.loss -= scores(k, i);
    const double p = std::exp(scores(k, i) - largest) / sum;
    scores(k, i) = p - (mine ? 1 : 0);
    term.curvature += p * (1 - p) / static_cast<double>(classes - 1);
  }
  term.loss = std::max(term.loss, 0.0);
  return term;
}

}  // namespace

void LogisticObjective::Sums::add(const Sums& other) {
  weight += other.weight;
  loss += other.loss;
  held_out_weight += other.held_out_weight;
  held_out_loss += other.held_out_loss;
}

LogisticObjective::LogisticObjective(const Problem& problem, FeatureRows& rows, const Penalty& penalty, double holdout)
    : problem_(problem),
      rows_(rows),
      penalty_(penalty),
      holdout_(holdout),
      features_(problem.map.features()),
      outputs_(problem.rows.outputs()),
      threads_(problem.run.thread_count()) {}

bool LogisticObjective::held_out(Index row) const {
  return holdout_ > 0 &&
         Random(problem_.family.seed, Stream::split).uniform(static_cast<std::uint64_t>(row)) < holdout_;
}

ClassWeights LogisticObjective::class_weights() const {
  const auto classes = static_cast<std::size_t>(std::max<Index>(outputs_, 2));
  ClassWeights sums{std::vector<double>(classes), std::vector<double>(classes)};
  rows_.for_each_target([&](const FeatureBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      std::size_t label = 0;
      if (outputs_ == 1)
        label = block.y(0, i) > 0 ? 1 : 0;
      else
        while (label + 1 < classes && !(block.y(static_cast<Index>(label), i) > 0)) ++label;
      (held_out(block.first_row + i) ? sums.held_out : sums.training)[label] +=
          block.weights != nullptr ? block.weights[i] : 1;
    }
  });
  return sums;
}

LogisticObjective::Terms LogisticObjective::terms(const FeatureBlock& block, const Matrix& x) const {
  Terms result{Matrix(outputs_, block.rows()), std::vector<double>(static_cast<std::size_t>(block.rows())), {}};
  // Kept apart and added in order, whatever thread made them.
  std::vector<Sums> pieces(static_cast<std::size_t>(tile_count(block.rows(), kRowPiece)));
  parallel_for(static_cast<Index>(pieces.size()), threads_, [&](Index p) {
    const Tile part = tile(p, block.rows(), kRowPiece);
    const View<double> slopes = result.slopes.view().col_range(part.first, part.count);
    score(x, block.phi.col_range(part.first, part.count), slopes);
    Sums& sums = pieces[static_cast<std::size_t>(p)];
    for (Index i = 0; i < part.count; ++i) {
      const Index row = part.first + i;
      const RowTerm term = outputs_ == 1 ? binary_row(block.y(0, row), slopes(0, i))
                                         : softmax_row(block.y.col_range(part.first, part.count), slopes, i);
      const double weight = block.weights != nullptr ? block.weights[row] : 1;
      const bool out = held_out(block.first_row + row);
      (out ? sums.held_out_weight : sums.weight) += weight;
      (out ? sums.held_out_loss : sums.loss) += weight * term.loss;
      const double trained = out ? 0 : weight;
      for (Index k = 0; k < outputs_; ++k) slopes(k, i) *= trained;
      result.curvature[static_cast<std::size_t>(row)] = trained * std::max(term.curvature, kLeastCurvature);
    }
  });
  for (const Sums& piece : pieces) result.sums.add(piece);
  return result;
}

bool LogisticObjective::evaluate(const Matrix& x, ObjectiveValue& out) {
  out.gradient = Matrix(features_ + 1, outputs_);
  Sums total;
  const bool finished = rows_.for_each([&](const FeatureBlock& block) {
    const Terms part = terms(block, x);
    total.add(part.sums);
    parallel_for(tile_count(features_, kFeaturePiece), threads_, [&](Index p) {
      const Tile some = tile(p, features_, kFeaturePiece);
      add_gradient(block.phi.row_range(some.first, some.count), part.slopes,
                   out.gradient.view().row_range(some.first, some.count));
    });
    if (!problem_.options.intercept) return;
    for (Index k = 0; k < outputs_; ++k)
      for (Index i = 0; i < block.rows(); ++i) out.gradient(features_, k) += part.slopes(k, i);
  });
  if (!finished) return false;
  ++evaluations_since_;
  for (Index i = 0; i < out.gradient.rows() * outputs_; ++i) out.gradient.data()[i] /= total.weight;
  out.value = total.loss / total.weight;
  out.held_out = total.held_out_weight > 0 ? total.held_out_loss / total.held_out_weight : 0;
  add_penalty(x, out);
  return true;
}

void LogisticObjective::add_penalty(const Matrix& x, ObjectiveValue& out) const {
  const View<const double> b = x.view().row_range(0, features_);
  Matrix product(features_, outputs_);
  if (penalty_.identity())
    std::copy_n(b.data, features_ * outputs_, product.data());
  else
    add_symmetric_product(1, penalty_.matrix, b, product, threads_);
  double form = 0;
  for (Index i = 0; i < features_ * outputs_; ++i) {
    form += b.data[i] * product.data()[i];
    out.gradient.data()[i] += 2 * lambda_ * product.data()[i];
  }
  out.value += lambda_ * form;
}

bool LogisticObjective::measure(const Matrix& x) {
  Accumulator sums(features_, 0);
  double weight = 0;
  const bool finished = rows_.for_each([&](const FeatureBlock& block) {
    const Terms part = terms(block, x);
    weight += part.sums.weight;
    sums.add(block.phi, View<const double>(nullptr, 0, block.rows()), part.curvature.data(), threads_);
  });
  if (!finished) return false;
  gram_weight_ = weight;
  curvature_ = sums.weight();
  if (problem_.options.intercept) {
    CentredSums centred = sums.centred();
    gram_ = std::move(centred.gram);
    means_ = std::move(centred.feature_means);
  } else {
    gram_ = sums.gram();
    means_.assign(static_cast<std::size_t>(features_), 0);
  }
  ++grams_;
  evaluations_since_ = 0;
  return true;
}

double LogisticObjective::largest_ratio() const {
  double largest = 0;
  for (Index t = 0; t < features_; ++t)
    largest = std::max(largest, gram_(t, t) / gram_weight_ / (penalty_.identity() ? 1 : penalty_.matrix(t, t)));
  return largest;
}

void LogisticObjective::factor() {
  // P is only a preconditioner: the ridge ε makes it safe to factor and leaves the minimum where it is.
  factor_ = solve_regularised(gram_, penalty_.matrix, 2 * lambda_ * gram_weight_,
                              problem_.options.epsilon * gram_weight_, Matrix(features_, 0), threads_)
                .factor;
}

void LogisticObjective::set_lambda(double effective) {
  lambda_ = effective;
  if (grams_ > 0) factor();
}

bool LogisticObjective::stale() const {
  return grams_ == 0 || evaluations_since_ > features_ / kFeaturesPerEvaluation;
}

bool LogisticObjective::renew(const Matrix& x) {
  if (!measure(x)) return false;
  factor();
  return true;
}

/// The intercept is eliminated: with means μ, P⁻¹(v, v₀) has b = C⁻¹(v − μv₀), C the centred matrix, and
/// β = v₀·W/Σω − μᵀb.
void LogisticObjective::precondition(Matrix& v) const {
  for (Index t = 0; t < features_; ++t)
    for (Index k = 0; k < outputs_; ++k) v(t, k) -= means_[static_cast<std::size_t>(t)] * v(features_, k);
  factor_.solve(v.view().row_range(0, features_), threads_);
  for (Index i = 0; i < features_ * outputs_; ++i) v.data()[i] *= gram_weight_;
  for (Index k = 0; k < outputs_; ++k) {
    double value = problem_.options.intercept ? v(features_, k) * gram_weight_ / curvature_ : 0;
    for (Index t = 0; t < features_; ++t) value -= means_[static_cast<std::size_t>(t)] * v(t, k);
    v(features_, k) = value;
  }
}

}  // namespace weft
