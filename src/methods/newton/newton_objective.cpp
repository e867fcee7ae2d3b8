#include "methods/newton/newton_objective.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/tiles.hpp"
#include "data/rows/piece_sums.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kRowPiece = 256;      // rows whose scores one thread computes together
constexpr Index kFeaturePiece = 128;  // features whose gradient one thread sums
// A Gram takes as long as this many features' share of evaluations: T/40 with one output, where an evaluation waits for
// memory, T/16 with several. Renewing after as many means that neither the Grams nor the evaluations that
// lack a recent one cost much more than the better of the two would have. An old Hessian does not help, however.
constexpr Index kFeaturesPerEvaluation = 40;
constexpr Index kFeaturesPerSoftmax = 16;
constexpr Index kMaxPatience = 25;
// Of a smoothed corner each point has another Hessian: Grams at every step would be many, while L-BFGS learns what is
// missing of an older one.
constexpr Index kCornerPatience = 12;

/// scores (outputs × rows) = Bᵀ phi + β, by the CPU.
void score(const NewtonPoint& point, View<const double> phi, View<double> scores) {
  const Index k = scores.rows;
  for (Index c = 0; c < k; ++c) std::fill_n(scores.row(c), scores.cols, point.intercepts[c]);
  if (k == 1)
    cpu().multiply_vector(1, transpose(phi), point.coefficients.view().data, 1, scores.data);
  else
    cpu().multiply(1, transpose(point.coefficients.view()), phi, 1, scores);
}

/// gradient (features × outputs) += phi · slopesᵀ, phi and gradient in the memory of `device`.
void add_gradient(const Device& device, View<const double> phi, const Matrix& slopes, View<double> gradient,
                  int threads) {
  if (device.has_own_memory()) return device.multiply(1, phi, transpose(slopes), 1, gradient);
  parallel_for(tile_count(phi.rows, kFeaturePiece), threads, [&](Index p) {
    const Tile part = tile(p, phi.rows, kFeaturePiece);
    const View<const double> some = phi.row_range(part.first, part.count);
    const View<double> sums = gradient.row_range(part.first, part.count);
    if (sums.cols == 1)
      cpu().multiply_vector(1, some, slopes.data(), 1, {sums.data, sums.stride});
    else
      cpu().multiply(1, some, transpose(slopes), 1, sums);
  });
}

}  // namespace

NewtonPoint::NewtonPoint(const Device& device, const Matrix& x)
    : coefficients(device, x.view().row_range(0, x.rows() - 1)), intercepts(x.row(x.rows() - 1)) {}

void NewtonObjective::Sums::add(const Sums& other) {
  weight += other.weight;
  loss += other.loss;
  gap += other.gap;
  held_out_weight += other.held_out_weight;
  held_out_loss += other.held_out_loss;
}

void NewtonObjective::Sums::add_to(double* numbers) const {
  const double own[kNumbers] = {weight, loss, gap, held_out_weight, held_out_loss};
  for (Index i = 0; i < kNumbers; ++i) numbers[i] += own[i];
}

NewtonObjective::Sums NewtonObjective::Sums::of(const double* numbers) {
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

NewtonObjective::NewtonObjective(const Problem& problem, const RowLoss& loss, FeatureRows& rows, const Penalty& penalty,
                                 double holdout, bool block_per_output)
    : problem_(problem),
      loss_(loss),
      rows_(rows),
      penalty_(penalty),
      held_out_(holdout > 0 ? problem.rows.rule().held_out(Random(problem.family.seed, RandomStream::split), holdout)
                            : PartOf()),
      features_(problem.map.features()),
      outputs_(loss.outputs()),
      threads_(problem.run.thread_count()),
      block_per_output_(block_per_output),
      patience_(std::clamp(features_ / (outputs_ == 1 ? kFeaturesPerEvaluation : kFeaturesPerSoftmax),
                           loss.has_corner() ? kCornerPatience : 0, kMaxPatience)) {}

bool NewtonObjective::held_out(Index row) const {
  return held_out_ && held_out_(row) == 1;
}

NewtonObjective::Terms NewtonObjective::terms(const FeatureBlock& block, const NewtonPoint& point) const {
  Terms result{Matrix(outputs_, block.rows()), Matrix(outputs_ + 1, block.rows()), {}};
  const Device& device = rows_.device();
  if (device.has_own_memory()) device.scores(point.coefficients, point.intercepts, block.phi, result.slopes, threads_);
  // Kept apart and added in order, whatever thread made them.
  std::vector<Sums> pieces(static_cast<std::size_t>(tile_count(block.rows(), kRowPiece)));
  parallel_for(static_cast<Index>(pieces.size()), threads_, [&](Index p) {
    const Tile part = tile(p, block.rows(), kRowPiece);
    const View<double> slopes = result.slopes.view().col_range(part.first, part.count);
    const View<double> curvature = result.curvature.view().col_range(part.first, part.count);
    const View<const double> y = block.y.col_range(part.first, part.count);
    if (!device.has_own_memory()) score(point, block.phi.col_range(part.first, part.count), slopes);
    Sums& sums = pieces[static_cast<std::size_t>(p)];
    for (Index i = 0; i < part.count; ++i) {
      const Index row = part.first + i;
      const RowValue loss = loss_.row(y, slopes, curvature, i);
      const double weight = block.weights != nullptr ? block.weights[row] : 1;
      const bool out = held_out(block.first_row + row);
      (out ? sums.held_out_weight : sums.weight) += weight;
      (out ? sums.held_out_loss : sums.loss) += weight * (out ? loss.exact : loss.value);
      if (!out) sums.gap += weight * loss.gap;
      const double trained = out ? 0 : weight;
      for (Index k = 0; k < outputs_; ++k) slopes(k, i) *= trained;
      for (Index k = 0; k <= outputs_; ++k) curvature(k, i) *= trained;
    }
  });
  for (const Sums& piece : pieces) result.sums.add(piece);
  return result;
}

bool NewtonObjective::evaluate(const Matrix& x, ObjectiveValue& out) {
  const Index size = (features_ + 1) * outputs_;
  const Device& device = rows_.device();
  const NewtonPoint point(device, x);
  DeviceMatrix<double> gradient_there(device, device.has_own_memory() ? features_ : 0, outputs_);
  device.clear(gradient_there);
  MatrixSums sums(problem_.rows, 1, size + Sums::kNumbers);  // the gradient, then the others
  const bool finished = rows_.for_each([&](const FeatureBlock& block) {
    const Terms part = terms(block, point);
    double* const some = sums.of(block.first_row).data();
    part.sums.add_to(some + size);
    const View<double> gradient(some, features_ + 1, outputs_);
    add_gradient(device, block.phi, part.slopes,
                 device.has_own_memory() ? gradient_there.view() : gradient.row_range(0, features_), threads_);
    if (!problem_.options.intercept) return;
    for (Index k = 0; k < outputs_; ++k)
      for (Index i = 0; i < block.rows(); ++i) gradient(features_, k) += part.slopes(k, i);
  });
  if (!finished) return false;
  ++made_.evaluations;
  Matrix all = sums.all();
  if (device.has_own_memory())
    device.copy(std::as_const(gradient_there).view(), View<double>(all.data(), features_, outputs_));
  const Sums total = Sums::of(all.data() + size);
  out.gradient = Matrix(features_ + 1, outputs_);
  for (Index i = 0; i < size; ++i) out.gradient.data()[i] = all.data()[i] / total.weight;
  out.value = total.loss / total.weight;
  out.gap = total.gap / total.weight;
  out.held_out = total.held_out_weight > 0 ? total.held_out_loss / total.held_out_weight : 0;
  add_penalty(x, out);
  return true;
}

void NewtonObjective::add_penalty(const Matrix& x, ObjectiveValue& out) const {
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

NewtonObjective::Grams NewtonObjective::sum_grams(const Matrix& x, Index count, bool& finished) {
  const auto empty = [&] { return Grams{std::vector<Accumulator>(at(count), Accumulator(features_, 0))}; };
  const Device& device = rows_.device();
  const NewtonPoint point(device, x);
  PieceSums<Grams> sums(device.has_own_memory() ? share_or_whole(problem_.rows) : share_of(problem_.rows), empty,
                        {[](Grams& value, Grams& next) {
                           for (std::size_t k = 0; k < value.sums.size(); ++k) value.sums[k].merge(next.sums[k]);
                           value.weight += next.weight;
                         },
                         [](const Grams& value) {
                           Packer packer;
                           packer.add(value.weight).add(static_cast<Index>(value.sums.size()));
                           for (const Accumulator& sum : value.sums) packer.add(sum.to_bytes());
                           return std::move(packer).bytes();
                         },
                         [](const std::string& bytes) {
                           Unpacker unpacker(bytes);
                           Grams value{{}, unpacker.number<double>()};
                           for (auto left = unpacker.number<Index>(); left > 0; --left)
                             value.sums.push_back(Accumulator::from_bytes(unpacker.text()));
                           return value;
                         },
                         [](Grams& value) {
                           for (Accumulator& sum : value.sums) sum.clear();
                           value.weight = 0;
                         }});
  finished = rows_.for_each([&](const FeatureBlock& block) {
    const Terms part = terms(block, point);
    Grams& some = sums.of(block.first_row);
    some.weight += part.sums.weight;
    for (Index k = 0; k < count; ++k)
      some.sums[at(k)].add_on(device, block.phi, View<const double>(nullptr, 0, block.rows()),
                              part.curvature.row(count == 1 ? outputs_ : k), threads_);
  });
  Grams all = sums.all();
  for (Accumulator& sum : all.sums) sum.collect();
  return all;
}

bool NewtonObjective::measure(const Matrix& x) {
  const Index count = made_.grams == 0 || !block_per_output_ ? 1 : outputs_;
  bool finished = false;
  Grams all = sum_grams(x, count, finished);
  if (!finished) return false;
  gram_weight_ = all.weight;
  blocks_.clear();
  for (Accumulator& sum : all.sums) {
    blocks_.push_back(make_block(sum));
    sum = Accumulator(0, 0);  // its memory is needed for the next
  }
  made_ = {x, !held_out_, made_.grams + count, 0};
  return true;
}

bool NewtonObjective::restore(const PreconditionerState& state) {
  PartOf held_out = held_out_;
  if (state.all_rows) held_out_ = {};
  made_.grams = state.grams - 1;  // the first one is shared by the outputs
  const bool finished = measure(state.point);
  made_.grams = state.grams;
  made_.evaluations =
      std::max<Index>(state.evaluations - 1, 0);  // the fit evaluates the point where it goes on once more
  held_out_ = std::move(held_out);
  return finished;
}

NewtonObjective::Block NewtonObjective::make_block(const Accumulator& sums) const {
  Block block;
  block.curvature = sums.weight();
  if (problem_.options.intercept) {
    CentredSums centred = sums.centred();
    block.gram = std::move(centred.gram);
    block.means = std::move(centred.feature_means);
  } else {
    block.gram = sums.gram();
    block.means.assign(static_cast<std::size_t>(features_), 0);
  }
  return block;
}

double NewtonObjective::largest_ratio() const {
  double largest = 0;
  for (const Block& block : blocks_)
    for (Index t = 0; t < features_; ++t)
      largest = std::max(largest, block.gram(t, t) / gram_weight_ / (penalty_.identity() ? 1 : penalty_.matrix(t, t)));
  return largest;
}

void NewtonObjective::factor() {
  // Without the ridge ε of least squares: where rounding makes P indefinite the factor jitters itself, and a ridge that
  // exceeds λR would slow down the directions that only the penalty holds.
  for (Block& block : blocks_)
    block.factor = solve_regularised(block.gram, penalty_.matrix, 2 * lambda_ * gram_weight_, 0, Matrix(features_, 0),
                                     Worker::for_equations(problem_.run, features_))
                       .factor;
}

void NewtonObjective::set_lambda(double effective) {
  lambda_ = effective;
  if (made_.grams > 0) factor();
}

bool NewtonObjective::stale() const {
  return made_.grams == 0 || made_.evaluations > patience_;
}

bool NewtonObjective::renew(const Matrix& x) {
  if (!measure(x)) return false;
  factor();
  return true;
}

/// The intercept is eliminated: with means μ, P⁻¹(v, v₀) has b = C⁻¹(v − μv₀), C the centred matrix, and
/// β = v₀·W/Σω − μᵀb.
void NewtonObjective::precondition(Matrix& v) const {
  parallel_for(outputs_, threads_, [&](Index k) {
    const Block& block = blocks_[blocks_.size() == 1 ? 0 : static_cast<std::size_t>(k)];
    const double last = v(features_, k);
    Matrix column(features_, 1);
    for (Index t = 0; t < features_; ++t)
      column(t, 0) = gram_weight_ * (v(t, k) - block.means[static_cast<std::size_t>(t)] * last);
    block.factor.solve(column, 1);
    double value = problem_.options.intercept ? last * gram_weight_ / block.curvature : 0;
    for (Index t = 0; t < features_; ++t) {
      v(t, k) = column(t, 0);
      value -= block.means[static_cast<std::size_t>(t)] * column(t, 0);
    }
    v(features_, k) = value;
  });
  if (!loss_.up_to_a_constant()) return;
  for (Index t = 0; t <= features_; ++t) {
    double mean = 0;
    for (Index k = 0; k < outputs_; ++k) mean += v(t, k) / static_cast<double>(outputs_);
    for (Index k = 0; k < outputs_; ++k) v(t, k) -= mean;
  }
}

}  // namespace weft::detail
