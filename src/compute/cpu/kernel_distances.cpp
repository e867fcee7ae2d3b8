#include "compute/cpu/kernel_distances.hpp"

#include "compute/cpu/blas.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <cassert>

namespace weft::detail {

namespace {

// Inputs summed before the next panels: those of 128 inputs take half of a first-level cache of 32 KiB.
constexpr Index kDepth = 128;
// Rows of a tile lie this far apart: a power of two would map them to the same few sets of a cache.
constexpr Index kTileStride = kDistanceStrip + 16;

/// to: panels of `width` columns of `from`, row after row; columns beyond the last are 0.
template <class Real, class From>
void pack(const From& from, Index rows, Index cols, Index width, Real* to) {
  for (Index first = 0; first < cols; first += width)
    for (Index k = 0; k < rows; ++k, to += width) {
      const Index count = std::min(width, cols - first);
      for (Index i = 0; i < count; ++i) to[i] = from(k, first + i);
      std::fill(to + count, to + width, Real{0});
    }
}

/// kPanelRows × width of the target: what a store would wait for.
void fetch(View<double> target, Index row, Index col, Index width) {
  constexpr Index kLine = 64 / sizeof(double);
  for (Index r = row; r < std::min(row + kPanelRows, target.rows); ++r)
    for (Index c = col; c < col + width; c += kLine) __builtin_prefetch(target.row(r) + c, 1);
}

}  // namespace

DistanceDecay distance_decay(const Kernel& kernel) {
  const double bandwidth = kernel.bandwidth();
  switch (kernel.kind()) {
    case Kernel::Kind::rbf:
      return {true, {0.5 / (bandwidth * bandwidth), 1}};
    case Kernel::Kind::laplace_l2:
      return {true, {1 / (bandwidth * bandwidth), kernel.exponent() / 2}};
    default:
      assert(kernel.kind() == Kernel::Kind::laplace);
      return {false, {1 / bandwidth, kernel.exponent()}};
  }
}

LeftRows<double> left_rows(View<const double> a, const PreparedRows& prepared, double) {
  if (prepared.centre.empty()) return {a, nullptr, nullptr};
  return {prepared.rows, prepared.centre.data(), prepared.squares.data()};
}

LeftRows<float> left_rows(View<const double>, const PreparedRows& prepared, float) {
  return {prepared.single_rows, prepared.centre.data(), prepared.single_squares.data()};
}

template <class Real>
StripDistances<Real>::StripDistances(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> b)
    : form_(form), left_(left), inputs_(b.rows), cols_(b.cols), tile_(kDistanceTile, kTileStride) {
  const auto centred = [&](Index k, Index i) {
    return static_cast<Real>(left.centre == nullptr ? b(k, i) : b(k, i) - left.centre[k]);
  };
  if (!form.squared) {
    constexpr Index kWidth = kPanelColumns<Real>;
    panels_.resize(at((cols_ + kWidth - 1) / kWidth * kWidth * inputs_));
    pack(centred, inputs_, cols_, kWidth, panels_.data());
    return;
  }
  columns_ = BasicMatrix<Real>(inputs_, cols_);
  column_squares_.resize(at(cols_));
  for (Index k = 0; k < inputs_; ++k)
    for (Index i = 0; i < cols_; ++i) {
      columns_(k, i) = centred(k, i);
      column_squares_[at(i)] += columns_(k, i) * columns_(k, i);
    }
}

template <class Real>
View<Real> StripDistances<Real>::tile(Index first, Index count, View<double> target) {
  near_.clear();
  if (form_.squared)
    fill_squares(first, count);
  else
    fill_l1(first, count, target);
  return {tile_.data(), count, cols_, kTileStride};
}

template <class Real>
void StripDistances<Real>::fill_l1(Index first, Index count, View<double> target) {
  constexpr Index kWidth = kPanelColumns<Real>;
  const auto rows = left_.rows.col_range(first, count);
  const Index groups = (count + kPanelRows - 1) / kPanelRows;
  left_panels_.resize(at(groups * kPanelRows * inputs_));
  pack(rows, inputs_, count, kPanelRows, left_panels_.data());
  const auto& kernels = distance_kernels<Real>();
  for (Index k = 0; k < inputs_; k += kDepth)
    for (Index p = 0; p * kWidth < cols_; ++p)
      for (Index g = 0; g < groups; ++g) {
        if (k == 0 && target.rows > 0) fetch(target, g * kPanelRows, p * kWidth, kWidth);
        kernels.l1(std::min(kDepth, inputs_ - k), left_panels_.data() + (g * inputs_ + k) * kPanelRows,
                   panel(p) + k * kWidth, k > 0, tile_.row(g * kPanelRows) + p * kWidth, kTileStride);
      }
}

template <class Real>
void StripDistances<Real>::fill_squares(Index first, Index count) {
  gemm(true, false, inputs_, Real{1}, left_.rows.col_range(first, count), columns_, Real{0},
       View<Real>(tile_.data(), count, cols_, kTileStride));
  for (Index t = 0; t < count; ++t) {
    const bool near = distance_kernels<Real>().squares(cols_, left_.squares[first + t], column_squares_.data(),
                                                       kNear<Real>, tile_.row(t));
    if (near && form_.decay.power < 1) refine(first, t, tile_.row(t));
  }
}

template <class Real>
void StripDistances<Real>::refine(Index first, Index row, Real* squares) {
  const Real square = left_.squares[first + row];
  for (Index i = 0; i < cols_; ++i) {
    if (!(squares[i] < kNear<Real> * (square + column_squares_[at(i)]))) continue;
    Real sum = 0;
    for (Index k = 0; k < inputs_; ++k) {
      const Real difference = columns_(k, i) - left_.rows(k, first + row);
      sum += difference * difference;
    }
    squares[i] = sum;
    near_.emplace_back(row, i);
  }
}

template class StripDistances<double>;
template class StripDistances<float>;

}  // namespace weft::detail
