#include "compute/cpu/kernel_distances.hpp"

#include "compute/cpu/blas.hpp"
#include "core/at.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

// Inputs summed before the next panels: those of 128 inputs take half of a first-level cache of 32 KiB.
constexpr Index kDepth = 128;
// Rows of a tile lie this far apart: a power of two would map them to the same few sets of a cache.
constexpr Index kTileStride = kDistanceStrip + 16;

/// to: panels of kWidth columns of `from`, row after row; columns beyond the last are 0.
template <Index kWidth, class Real, class From>
void pack(const From& from, Index rows, Index cols, Real* to) {
  const Index whole = cols / kWidth, left = cols % kWidth;
  for (Index k = 0; k < rows; ++k, to += kWidth) {
    Real* panel = to;
    for (Index p = 0; p < whole; ++p, panel += rows * kWidth)
      for (Index i = 0; i < kWidth; ++i) panel[i] = from(k, p * kWidth + i);
    for (Index i = 0; i < kWidth && left > 0; ++i) panel[i] = i < left ? from(k, whole * kWidth + i) : Real{0};
  }
}

/// kPanelRows × width of the target: what a store would wait for.
void fetch(View<double> target, Index row, Index col, Index width) {
  constexpr Index kLine = 64 / sizeof(double);
  for (Index r = row; r < std::min(row + kPanelRows, target.rows); ++r)
    for (Index c = col; c < col + width; c += kLine) __builtin_prefetch(target.row(r) + c, 1);
}

}  // namespace

LeftRows<double> left_rows(View<const double> a, const PreparedRows& prepared, double) {
  return {a, prepared.centre.empty() ? nullptr : prepared.centre.data()};
}

LeftRows<float> left_rows(View<const double>, const PreparedRows& prepared, float) {
  return {prepared.single_rows, prepared.centre.data()};
}

template <class Real>
StripDistances<Real>::StripDistances(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> b)
    : form_(form), all_left_(left), inputs_(b.rows), cols_(b.cols), tile_(kDistanceTile, kTileStride) {
  const auto centred = [&](Index k, Index i) {
    return static_cast<Real>(left.centre == nullptr ? b(k, i) : b(k, i) - left.centre[k]);
  };
  if (!form.squared) {
    constexpr Index kWidth = kPanelColumns<Real>;
    panels_.resize(at((cols_ + kWidth - 1) / kWidth * kWidth * inputs_));
    pack<kWidth>(centred, inputs_, cols_, panels_.data());
    return;
  }
  columns_ = BasicMatrix<Real>(inputs_, cols_);
  column_squares_.resize(at(cols_));
  left_ = BasicMatrix<Real>(inputs_, kDistanceTile);
  left_squares_.resize(at(kDistanceTile));
  for (Index k = 0; k < inputs_; ++k)
    for (Index i = 0; i < cols_; ++i) {
      columns_(k, i) = centred(k, i);
      column_squares_[at(i)] += columns_(k, i) * columns_(k, i);
    }
}

template <class Real>
View<Real> StripDistances<Real>::tile(Index first, Index count, View<double> target) {
  near_.clear();
  fetch_left(first + count);
  if (form_.squared)
    fill_squares(first, count);
  else
    fill_l1(first, count, target);
  return {tile_.data(), count, cols_, kTileStride};
}

// The next tile, whose inputs lie far apart: where the strip has few columns, its memory is what takes time.
template <class Real>
void StripDistances<Real>::fetch_left(Index first) const {
  constexpr Index kLine = 64 / sizeof(Real);
  const Index end = std::min(first + kDistanceTile, all_left_.rows.cols);
  for (Index k = 0; k < inputs_; ++k)
    for (Index t = first; t < end; t += kLine) __builtin_prefetch(all_left_.rows.row(k) + t);
}

template <class Real>
void StripDistances<Real>::fill_l1(Index first, Index count, View<double> target) {
  constexpr Index kWidth = kPanelColumns<Real>;
  const auto rows = all_left_.rows.col_range(first, count);
  const Index groups = (count + kPanelRows - 1) / kPanelRows;
  left_panels_.resize(at(groups * kPanelRows * inputs_));
  pack<kPanelRows>(rows, inputs_, count, left_panels_.data());
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
void StripDistances<Real>::move_left(Index first, Index count) {
  std::fill(left_squares_.begin(), left_squares_.end(), Real{0});
  for (Index k = 0; k < inputs_; ++k) {
    const Real* const from = all_left_.rows.row(k) + first;
    Real* const to = left_.row(k);
    const Real centre = sizeof(Real) == sizeof(double) ? static_cast<Real>(all_left_.centre[k]) : Real{0};
    for (Index t = 0; t < count; ++t) {
      to[t] = from[t] - centre;
      left_squares_[at(t)] += to[t] * to[t];
    }
  }
}

template <class Real>
void StripDistances<Real>::fill_squares(Index first, Index count) {
  move_left(first, count);
  gemm(true, false, inputs_, Real{1}, left_.view().col_range(0, count), columns_, Real{0},
       View<Real>(tile_.data(), count, cols_, kTileStride));
  for (Index t = 0; t < count; ++t) {
    const bool near = distance_kernels<Real>().squares(cols_, left_squares_[at(t)], column_squares_.data(), kNear<Real>,
                                                       tile_.row(t));
    if (near && form_.decay.power < 1) refine(t, tile_.row(t));
  }
}

template <class Real>
void StripDistances<Real>::refine(Index row, Real* squares) {
  const Real square = left_squares_[at(row)];
  for (Index i = 0; i < cols_; ++i) {
    if (!(squares[i] < kNear<Real> * (square + column_squares_[at(i)]))) continue;
    Real sum = 0;
    for (Index k = 0; k < inputs_; ++k) {
      const Real difference = columns_(k, i) - left_(k, row);
      sum += difference * difference;
    }
    squares[i] = sum;
    near_.emplace_back(row, i);
  }
}

template class StripDistances<double>;
template class StripDistances<float>;

}  // namespace weft::detail
