// The training rows as an iterative fit sees them: blocks of Φ, over and over. Φ is kept after the first pass where it
// fits, so that later passes cost no features; else every pass computes them again.
#pragma once

#include "compute/device_matrix.hpp"
#include "methods/problem.hpp"

#include <functional>
#include <vector>

namespace weft::detail {

struct FeatureBlock {
  View<const double> phi;  ///< features × rows: smoothings, in the memory of FeatureRows::device()
  View<const double> y;    ///< outputs × rows
  const double* weights = nullptr;
  Index first_row = 0;
  Index rows() const { return phi.cols; }
};

class FeatureRows {
 public:
  /// Keeps Φ if it takes at most `cache_bytes`; in the memory of a GPU, what of it is free unless a limit is given.
  FeatureRows(const Problem& problem, double cache_bytes, const Device& device = cpu());
  /// Where a fit that sums ΦᵀΦ and reads Φ again and again is best done.
  static const Device& device_for(const Problem& problem);

  /// One pass in fixed blocks and order; false when the time limit was reached. Throws when cancelled.
  bool for_each(const std::function<void(const FeatureBlock&)>& consume);

  /// The same rows without features: for counting. phi is empty, with the right number of columns.
  void for_each_target(const std::function<void(const FeatureBlock&)>& consume) const;

  const Device& device() const { return device_; }
  Index passes() const { return passes_; }
  bool cached() const { return complete_; }

 private:
  struct Kept {
    DeviceMatrix<double> phi;
    Matrix y;
    std::vector<double> weights;
    Index first_row = 0;
  };
  bool compute(const std::function<void(const FeatureBlock&)>& consume);

  const Problem& problem_;
  const Device& device_;
  std::vector<Kept> kept_;
  bool keep_ = false;
  bool complete_ = false;
  Index passes_ = 0;
};

}  // namespace weft::detail
