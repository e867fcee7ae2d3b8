// Kernel values of rows to fit, and between them and rows that are held out, at one bandwidth after another.
#pragma once

#include "compute/device_matrix.hpp"

#include <weft/kernel.hpp>

#include <optional>

namespace weft::detail {

/// In single precision. Where one bandwidth is twice another, its values are roots or powers of the other's, which
/// saves the distances: k_σ' = k_σ^((σ/σ')^q).
class TrialKernel {
 public:
  /// x, held: inputs × rows, the same ones until forget(). `held` may have no rows.
  void use(const Kernel& kernel, const Matrix& x, const Matrix& held, const Run& run);
  void forget() { used_.reset(); }

  const DeviceMatrix<double>& lower() const { return *lower_; }  ///< of x; entries above the diagonal have no meaning
  const DeviceMatrix<double>& cross() const { return *cross_; }  ///< x × held, on the same device

 private:
  bool rescale(const Kernel& kernel);

  std::optional<Kernel> used_;
  std::optional<DeviceMatrix<double>> lower_, cross_;
};

}  // namespace weft::detail
