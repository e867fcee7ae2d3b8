// Distances between the rows of a (inputs × m, prepared) and strips of the rows of b, tile after tile.
//
// A strip of b and a tile of a, cut into panels (vector_kernels.hpp), stay in the second-level cache with the tile's
// distances, a panel of b in the first. Squared distances come from inner products of rows about a's mean, which costs
// their small ones digits: pairs so near that a root would magnify the loss are computed again from differences.
#pragma once

#include "compute/kernel_decay.hpp"

#include <utility>
#include <vector>

namespace weft::detail {

constexpr Index kDistanceStrip = 256;  // columns of b that one thread takes at a time
constexpr Index kDistanceTile = 64;    // rows of a, a multiple of kPanelRows
constexpr Index kDistanceRows = 4096;  // rows of a that one thread takes at a time, a multiple of both

template <class Real>
const DistanceKernels<Real>& distance_kernels() {
  if constexpr (sizeof(Real) == sizeof(double))
    return chosen_kernels().set->distances_double;
  else
    return chosen_kernels().set->distances_float;
}

/// The left side of all tiles.
template <class Real>
struct LeftRows {
  View<const Real> rows;  ///< inputs × m; in single precision about the centre
  const double* centre;   ///< nullptr: the origin
};
LeftRows<double> left_rows(View<const double> a, const PreparedRows& prepared, double);
LeftRows<float> left_rows(View<const double> a, const PreparedRows& prepared, float);

template <class Real>
class StripDistances {
 public:
  /// b: inputs × at most kDistanceStrip.
  StripDistances(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> b);

  /// Distances, or squared ones, of a's rows first … first + count − 1 (at most kDistanceTile) to the strip. The rows
  /// of the view may be changed; the next call overwrites them. `target` is where their kernel values will be written:
  /// its memory is fetched meanwhile.
  View<Real> tile(Index first, Index count, View<double> target = {});

  /// The strip as distances see it: its panels for l1 (each inputs × kPanelColumns), else inputs × columns.
  const Real* panel(Index p) const { return panels_.data() + p * inputs_ * kPanelColumns<Real>; }
  const BasicMatrix<Real>& columns() const { return columns_; }
  /// The rows of the tile in panels, each inputs × kPanelRows; rows beyond the last are 0.
  const Real* left_panels() const { return left_panels_.data(); }
  /// (row of the tile, column of the strip) of pairs computed from differences.
  const std::vector<std::pair<Index, Index>>& near() const { return near_; }

 private:
  void fill_l1(Index first, Index count, View<double> target);
  void fill_squares(Index first, Index count);
  void refine(Index row, Real* squares);

  DistanceDecay form_;
  const LeftRows<Real>& all_left_;
  Index inputs_;
  Index cols_;
  AlignedVector<Real> panels_;
  AlignedVector<Real> left_panels_;
  BasicMatrix<Real> columns_;
  std::vector<Real> column_squares_;
  BasicMatrix<Real> left_;  // of squared forms, the rows of the tile about the centre: inputs × kDistanceTile
  std::vector<Real> left_squares_;
  BasicMatrix<Real> tile_;
  std::vector<std::pair<Index, Index>> near_;
};

/// The same for a strip of one column: vectors run along the rows of a, and the bits are those of StripDistances.
template <class Real>
class RowDistances {
 public:
  RowDistances(const DistanceDecay& form, const LeftRows<Real>& left, View<const double> b);

  /// Distances, or squared ones, of a's rows first … first + count − 1 (at most kDistanceTile), until the next call.
  const Real* tile(Index first, Index count);

 private:
  void fill_squares(Index first, Index count);

  DistanceDecay form_;
  const LeftRows<Real>& left_;
  BasicMatrix<Real> x_;  // inputs × 1, about the centre
  Real square_ = 0;
  AlignedVector<Real> sums_;
  std::vector<const Real*> pointers_;  // of l1, to the inputs of the tile
  BasicMatrix<Real> moved_;            // of squared forms, the rows of the tile about the centre
  std::vector<Real> squares_;
};

extern template class StripDistances<double>;
extern template class StripDistances<float>;
extern template class RowDistances<double>;
extern template class RowDistances<float>;

}  // namespace weft::detail
