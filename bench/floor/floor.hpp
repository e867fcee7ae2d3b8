// The floor under weft's dense and stump features: one GEMM into the whole array and one vector pass over it.
// Everything that depends on the rows alone (spread terms; projections where there is no GEMM) is computed before
// timing.
#pragma once

#include "compute/weight_kernel.hpp"
#include "floor/floor_passes.hpp"

#include <weft/feature_map.hpp>

#include <functional>

namespace bench {

/// The passes of the best instruction set this processor has; nullptr below AVX2.
const FloorPassSet* floor_passes();

/// One thread is timed by its own processor clock, which other programs on the machine do not affect; two by wall-clock
/// time.
double seconds(int threads, const std::function<void()>& body);

/// OpenBLAS's threads spin for some 30 ms after the floor's GEMM and would take a core from whoever runs next.
void let_blas_threads_sleep();

/// Φ of the one part of a map with activation sign, in double.
class SignFloor {
 public:
  /// x: inputs × rows; it must outlive the floor.
  SignFloor(const weft::FeatureMap& map, weft::View<const double> x);

  /// Puts the projections back where the pass found them; off the clock.
  void reset();
  void run(int threads);
  const weft::Matrix& features() const { return z_; }  ///< T × rows

 private:
  bool dense() const;
  void project();

  const weft::FeaturePart& part_;
  weft::detail::Tilt tilt_;
  weft::View<const double> x_;
  weft::Matrix mu_;        // T × rows, of stumps
  std::vector<double> p_;  // spread term of every row
  weft::Matrix z_;         // T × rows
};

}  // namespace bench
