// SKS of kernel sections by a device that computes the kernel: again for every factorisation and product, n² values
// beside the n³/3 operations of a factor, so that the factor is the only matrix in the memory of the device.
#pragma once

#include "compute/device_matrix.hpp"
#include "methods/kernel/scaled_kernel.hpp"

#include <vector>

namespace weft::detail {

class DeviceKernel final : public ScaledKernel {
 public:
  /// `roots`: the diagonal of S. Sections and run must outlive it.
  DeviceKernel(const Device& device, const KernelSections& sections, std::vector<double> roots, const Run& run);

  Index rows() const override { return sections_.count(); }
  double trace() const override;
  Matrix* held() override { return nullptr; }
  RidgeSolution solve(double mu, View<const double> rhs) const override;
  RidgeSolution solve(const std::vector<Index>& rows, double mu, View<const double> rhs) const override;
  Matrix product(const std::vector<Index>& rows, const std::vector<Index>& columns,
                 View<const double> x) const override;

 private:
  class Shifted;

  /// Σ_j k(x_i, z_j) s_j a_j for every column x_i of x, in either memory: columns of x × columns of a.
  Matrix sums(View<const double> x, View<const double> a) const;
  std::vector<double> roots_of(const std::vector<Index>& rows) const;

  const Device& device_;
  const KernelSections& sections_;
  const Run& run_;
  std::vector<double> roots_;
  std::vector<double> diagonal_;
  DeviceMatrix<double> centres_;
};

}  // namespace weft::detail
