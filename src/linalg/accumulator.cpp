#include "linalg/accumulator.hpp"

#include "compute/device.hpp"
#include "linalg/symmetric.hpp"

#include <weft/error.hpp>

#include <cassert>
#include <cmath>
#include <type_traits>
#include <utility>

namespace weft::detail {

namespace {

// Σ φ² − (Σ φ)²/W below these shares of Σ φ² is rounding: the column is constant.
constexpr double kConstantDouble = 1e-12;
constexpr double kConstantSingle = 1e-5;

void check_weights(const double* weights, Index rows) {
  for (Index i = 0; weights != nullptr && i < rows; ++i)
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw Error(ErrorKind::data, "the weight of a row is negative or not finite", "row " + std::to_string(i + 1),
                  "give every row a weight of zero or more");
}

/// √w of every row.
template <class Scalar>
AlignedVector<Scalar> roots_of(const double* weights, Index rows) {
  AlignedVector<Scalar> roots(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = static_cast<Scalar>(std::sqrt(weights[i]));
  return roots;
}

}  // namespace

Accumulator::Accumulator(Index features, Index targets, std::vector<double> shift)
    : gram_(features, features),
      moments_(features, targets + 1),
      yy_(static_cast<std::size_t>(targets)),
      target_sums_(static_cast<std::size_t>(targets)),
      shift_(std::move(shift)) {
  shift_.resize(yy_.size());
}

void Accumulator::add(View<const double> phi, View<const double> y, const double* weights, int threads) {
  add_block(cpu(), phi, y, weights, threads);
}

void Accumulator::add(View<const float> phi, View<const double> y, const double* weights, int threads) {
  add_block(cpu(), phi, y, weights, threads);
}

void Accumulator::add_on(const Device& device, View<const double> phi, View<const double> y, const double* weights,
                         int threads) {
  add_block(device, phi, y, weights, threads);
}

void Accumulator::add_on(const Device& device, View<const float> phi, View<const double> y, const double* weights,
                         int threads) {
  add_block(device, phi, y, weights, threads);
}

void Accumulator::collect() {
  if (!on_device_) return;
  const Device& device = on_device_->gram.device();
  device.copy(std::as_const(on_device_->gram).view(), gram_.view());
  device.copy(std::as_const(on_device_->moments).view(), moments_.view());
  on_device_.reset();
}

/// Adds the sums over targets alone and returns what phi is multiplied with: w·y per target and, last, w.
template <class Scalar>
BasicMatrix<Scalar> Accumulator::add_targets(View<const double> y, const double* weights) {
  const Index k = targets();
  BasicMatrix<Scalar> weighted(k + 1, y.cols);
  for (Index i = 0; i < y.cols; ++i) weighted(k, i) = static_cast<Scalar>(weights != nullptr ? weights[i] : 1.0);
  double weight = 0;
  for (Index i = 0; i < y.cols; ++i) weight += weights != nullptr ? weights[i] : 1.0;
  weight_ += weight;
  for (Index c = 0; c < k; ++c) {
    const double shift = shift_[static_cast<std::size_t>(c)];
    double squares = 0;
    double sum = 0;
    for (Index i = 0; i < y.cols; ++i) {
      const double target = y(c, i) - shift;
      const double product = weights != nullptr ? weights[i] * target : target;
      weighted(c, i) = static_cast<Scalar>(product);
      squares += product * target;
      sum += product;
    }
    yy_[static_cast<std::size_t>(c)] += squares;
    target_sums_[static_cast<std::size_t>(c)] += sum;
  }
  return weighted;
}

template <class Scalar>
void Accumulator::add_block(const Device& device, View<const Scalar> phi, View<const double> y, const double* weights,
                            int threads) {
  assert(phi.rows == features() && y.rows == targets() && phi.cols == y.cols);
  check_weights(weights, phi.cols);
  single_precision_ = single_precision_ || std::is_same_v<Scalar, float>;
  const BasicMatrix<Scalar> right = add_targets<Scalar>(y, weights);
  // Every row of the data, a column here, times √w: the Gram of the result is ΦᵀWΦ.
  DeviceMatrix<Scalar> scaled(device);
  View<const Scalar> rooted = phi;
  if (weights != nullptr) {
    scaled.reshape(phi.rows, phi.cols);
    device.scale_columns(phi, roots_of<Scalar>(weights, phi.cols).data(), scaled.view(), threads);
    rooted = scaled;
  }
  if (device.has_own_memory() && !on_device_) {
    on_device_ =
        std::make_shared<DeviceSums>(DeviceSums{{device, features(), features()}, {device, features(), targets() + 1}});
    device.clear(on_device_->gram);
    device.clear(on_device_->moments);
  }
  if (on_device_)
    device.add_sums(rooted, phi, right, on_device_->gram, on_device_->moments, threads);
  else
    device.add_sums(rooted, phi, right, gram_, moments_, threads);
  rows_ += phi.cols;
}

void Accumulator::clear() {
  std::fill_n(gram_.data(), features() * features(), 0.0);
  std::fill_n(moments_.data(), features() * (targets() + 1), 0.0);
  std::fill(yy_.begin(), yy_.end(), 0.0);
  std::fill(target_sums_.begin(), target_sums_.end(), 0.0);
  weight_ = 0;
  rows_ = 0;
  single_precision_ = false;
}

void Accumulator::merge(const Accumulator& other, bool keep_shift) {
  assert(!on_device_ && !other.on_device_);
  assert(other.features() == features() && other.targets() == targets());
  // An empty one that was given no shift takes the other's; one that was given a shift is expected to keep it.
  if (!keep_shift && rows_ == 0 && std::all_of(shift_.begin(), shift_.end(), [](double s) { return s == 0; }))
    shift_ = other.shift_;
  // y − shift = (y − other's shift) + gap. Equal shifts leave every bit of the plain sum alone.
  std::vector<double> gap(yy_.size() + 1);
  for (std::size_t c = 0; c < yy_.size(); ++c) gap[c] = other.shift_[c] - shift_[c];
  for (Index i = 0; i < features(); ++i) {
    for (Index j = 0; j <= i; ++j) gram_(i, j) += other.gram_(i, j);
    const double feature_sum = other.moments_(i, targets());
    for (Index c = 0; c <= targets(); ++c)
      moments_(i, c) += other.moments_(i, c) + gap[static_cast<std::size_t>(c)] * feature_sum;
  }
  for (std::size_t c = 0; c < yy_.size(); ++c) {
    yy_[c] += other.yy_[c] + gap[c] * (2 * other.target_sums_[c] + gap[c] * other.weight_);
    target_sums_[c] += other.target_sums_[c] + gap[c] * other.weight_;
  }
  weight_ += other.weight_;
  rows_ += other.rows_;
  single_precision_ = single_precision_ || other.single_precision_;
}

Accumulator Accumulator::sum(std::span<const Accumulator* const> parts) {
  assert(!parts.empty());
  Accumulator total = *parts.front();
  for (const Accumulator* part : parts.subspan(1)) total.merge(*part);
  return total;
}

Accumulator Accumulator::subset(std::span<const Index> positions, std::span<const double> scales) const {
  assert(scales.empty() || scales.size() == positions.size());
  Accumulator chosen(static_cast<Index>(positions.size()), targets(), shift_);
  const auto scale = [&](Index i) { return scales.empty() ? 1.0 : scales[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < chosen.features(); ++i) {
    const Index from = positions[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) {
      const Index other = positions[static_cast<std::size_t>(j)];
      chosen.gram_(i, j) = scale(i) * scale(j) * gram_(std::max(from, other), std::min(from, other));
    }
    for (Index k = 0; k <= targets(); ++k) chosen.moments_(i, k) = scale(i) * moments_(from, k);
  }
  chosen.yy_ = yy_;
  chosen.target_sums_ = target_sums_;
  chosen.weight_ = weight_;
  chosen.rows_ = rows_;
  chosen.single_precision_ = single_precision_;
  return chosen;
}

Matrix Accumulator::gram(int threads) const {
  Matrix full = Matrix::unset(features(), features());
  fill_symmetric(full, threads, [&](Index i, Index j) { return gram_(i, j); });
  return full;
}

View<const double> Accumulator::cross() const {
  return moments_.view().col_range(0, targets());
}

std::vector<double> Accumulator::feature_sums() const {
  std::vector<double> sums(static_cast<std::size_t>(features()));
  for (Index t = 0; t < features(); ++t) sums[static_cast<std::size_t>(t)] = moments_(t, targets());
  return sums;
}

CentredSums Accumulator::centred(int threads) const {
  if (!(weight_ > 0))
    throw Error(ErrorKind::data, "the weights of the rows sum to zero", {}, "give at least one row a positive weight");
  CentredSums result{Matrix::unset(features(), features()), Matrix(features(), targets()), yy_, feature_sums(),
                     target_sums_};
  for (double& mean : result.feature_means) mean /= weight_;
  for (double& mean : result.target_means) mean /= weight_;
  for (std::size_t c = 0; c < yy_.size(); ++c)
    result.yy[c] = std::max(0.0, yy_[c] - target_sums_[c] * result.target_means[c]);
  // A constant column is nothing but rounding once its mean is gone; solvers leave exact zero columns alone.
  std::vector<bool> constant(static_cast<std::size_t>(features()));
  const double threshold = single_precision_ ? kConstantSingle : kConstantDouble;
  for (Index i = 0; i < features(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double mean = result.feature_means[at];
    constant[at] = gram_(i, i) - weight_ * mean * mean <= threshold * gram_(i, i);
    for (Index c = 0; c < targets(); ++c)
      result.cross(i, c) = constant[at] ? 0.0 : moments_(i, c) - mean * target_sums_[static_cast<std::size_t>(c)];
  }
  fill_symmetric(result.gram, threads, [&](Index i, Index j) {
    const auto at = static_cast<std::size_t>(i), other = static_cast<std::size_t>(j);
    if (constant[at] || constant[other]) return 0.0;
    return gram_(i, j) - weight_ * result.feature_means[at] * result.feature_means[other];
  });
  return result;
}

}  // namespace weft::detail
