#include "compute/cpu/kernel_distances.hpp"

#include "compute/cpu/blas.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <cstring>

namespace weft::detail {

namespace {

// Inputs summed before the next panels: those of 128 inputs take half of a first-level cache of 32 KiB.
constexpr Index kDepth = 128;
// Rows of a tile lie this far apart: a power of two would map them to the same few sets of a cache.
constexpr Index kTileStride = kDistanceStrip + 16;
// Sums of squares that stay in registers of 16 bytes.
constexpr Index kHeldSums = 8;

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

/// The next tile, whose inputs lie far apart: where there are few columns, its memory is what takes time.
template <class Real>
void fetch_left(const LeftRows<Real>& left, Index first) {
  constexpr Index kLine = 64 / sizeof(Real);
  const Index end = std::min(first + kDistanceTile, left.rows.cols);
  for (Index k = 0; k < left.rows.rows; ++k)
    for (Index t = first; t < end; t += kLine) __builtin_prefetch(left.rows.row(k) + t);
}

template <class Real>
Real centred(const LeftRows<Real>& left, Index k, double value) {
  return static_cast<Real>(left.centre == nullptr ? value : value - left.centre[k]);
}

/// to[k·kDistanceTile + t] = from(k, t) − centre[k] (single rows are about it already), and their squared norms: of as
/// many rows as registers hold sums of.
template <class V, class Real>
void move_rows(View<const Real> from, const double* centre, Real* to, Real* squares) {
  constexpr Index kLanes = sizeof(V) / sizeof(Real);
  V sums[kHeldSums] = {};
  for (Index k = 0; k < from.rows; ++k) {
    const Real shift = sizeof(Real) == sizeof(double) ? static_cast<Real>(centre[k]) : Real{0};
#pragma GCC unroll 8
    for (Index h = 0; h < kHeldSums; ++h) {
      const Real* const place = from.row(k) + h * kLanes;
      if (h % (64 / sizeof(V)) == 0) __builtin_prefetch(place + kDistanceTile);
      V value;
      std::memcpy(&value, place, sizeof value);
      value -= shift;
      sums[h] += value * value;
      std::memcpy(to + k * kDistanceTile + h * kLanes, &value, sizeof value);
    }
  }
  std::memcpy(squares, sums, sizeof sums);
}

/// moved: a tile of rows about the centre, inputs × kDistanceTile; squares: their squared norms. Vectors are those that
/// every processor has, without fused multiply-adds: predictions keep their bits.
template <class Real>
void move_left(const LeftRows<Real>& left, Index first, Index count, BasicMatrix<Real>& moved, Real* squares) {
  typedef Real Vector __attribute__((vector_size(16)));
  constexpr Index kTogether = kHeldSums * static_cast<Index>(sizeof(Vector) / sizeof(Real));
  const View<const Real> rows = left.rows.col_range(first, count);
  Index t = 0;
  for (; t + kTogether <= count; t += kTogether)
    move_rows<Vector>(rows.col_range(t, kTogether), left.centre, moved.data() + t, squares + t);
  for (; t < count; ++t) {
    Real square = 0;
    for (Index k = 0; k < rows.rows; ++k) {
      const Real value = rows(k, t) - (sizeof(Real) == sizeof(double) ? static_cast<Real>(left.centre[k]) : Real{0});
      moved(k, t) = value;
      square += value * value;
    }
    squares[t] = square;
  }
}

template <class Real>
Real square_of_difference(const BasicMatrix<Real>& a, Index i, const BasicMatrix<Real>& b, Index j) {
  Real sum = 0;
  for (Index k = 0; k < a.rows(); ++k) {
    const Real difference = a(k, i) - b(k, j);
    sum += difference * difference;
  }
  return sum;
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
  const auto column = [&](Index k, Index i) { return centred(left, k, b(k, i)); };
  if (!form.squared) {
    constexpr Index kWidth = kPanelColumns<Real>;
    panels_.resize(at((cols_ + kWidth - 1) / kWidth * kWidth * inputs_));
    pack<kWidth>(column, inputs_, cols_, panels_.data());
    return;
  }
  columns_ = BasicMatrix<Real>(inputs_, cols_);
  column_squares_.resize(at(cols_));
  left_ = BasicMatrix<Real>(inputs_, kDistanceTile);
  left_squares_.resize(at(kDistanceTile));
  for (Index k = 0; k < inputs_; ++k)
    for (Index i = 0; i < cols_; ++i) {
      columns_(k, i) = column(k, i);
      column_squares_[at(i)] += columns_(k, i) * columns_(k, i);
    }
}

template <class Real>
View<Real> StripDistances<Real>::tile(Index first, Index count, View<double> target) {
  near_.clear();
  if (form_.squared) {
    fill_squares(first, count);
  } else {
    fetch_left(all_left_, first + count);
    fill_l1(first, count, target);
  }
  return {tile_.data(), count, cols_, kTileStride};
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
void StripDistances<Real>::fill_squares(Index first, Index count) {
  move_left(all_left_, first, count, left_, left_squares_.data());
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
    squares[i] = square_of_difference(columns_, i, left_, row);
    near_.emplace_back(row, i);
  }
}

template <class Real>
RowDistances<Real>::RowDistances(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> b)
    : form_(form), left_(left), x_(b.rows, 1), sums_(at(kDistanceTile)) {
  for (Index k = 0; k < b.rows; ++k) {
    x_(k, 0) = centred(left, k, b(k, 0));
    square_ += x_(k, 0) * x_(k, 0);
  }
  if (form.squared) {
    moved_ = BasicMatrix<Real>(b.rows, kDistanceTile);
    squares_.resize(at(kDistanceTile));
  } else {
    pointers_.resize(at(b.rows));
  }
}

template <class Real>
const Real* RowDistances<Real>::tile(Index first, Index count) {
  if (form_.squared) {
    fill_squares(first, count);
  } else {
    fetch_left(left_, first + count);
    for (Index k = 0; k < x_.rows(); ++k) pointers_[at(k)] = left_.rows.row(k) + first;
    distance_kernels<Real>().l1_row(count, x_.rows(), x_.data(), pointers_.data(), sums_.data());
  }
  return sums_.data();
}

template <class Real>
void RowDistances<Real>::fill_squares(Index first, Index count) {
  move_left(left_, first, count, moved_, squares_.data());
  gemm(true, false, x_.rows(), Real{1}, moved_.view().col_range(0, count), x_, Real{0},
       View<Real>(sums_.data(), count, 1));
  const bool near = distance_kernels<Real>().squares(count, square_, squares_.data(), kNear<Real>, sums_.data());
  if (!near || form_.decay.power >= 1) return;
  for (Index t = 0; t < count; ++t)
    if (sums_[at(t)] < kNear<Real> * (squares_[at(t)] + square_)) sums_[at(t)] = square_of_difference(x_, 0, moved_, t);
}

template class StripDistances<double>;
template class StripDistances<float>;
template class RowDistances<double>;
template class RowDistances<float>;

}  // namespace weft::detail
