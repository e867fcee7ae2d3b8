#include "methods/local/trial_kernel.hpp"

#include "compute/cpu/vector_kernels.hpp"
#include "methods/local/kernel_equations.hpp"

#include <cmath>

namespace weft::detail {

void TrialKernel::use(const Kernel& kernel, const Matrix& x, const Matrix& held, const Run& run) {
  if (!used_ || !rescale(kernel)) {
    lower_ = lower_kernel(kernel, x, run, Precision::float32);
    const Device& device = lower_->device();
    cross_.emplace(device, x.cols(), held.cols());
    if (held.cols() > 0)
      device.kernel_values(kernel, x, kernel.prepare(x, Precision::float32), held, *cross_, false, run);
  }
  used_ = kernel;
}

// In the memory of the process alone: a device of its own takes no longer for the distances.
bool TrialKernel::rescale(const Kernel& kernel) {
  if (lower_->device().has_own_memory()) return false;
  const double exponent = kernel.kind() == Kernel::Kind::rbf ? 2 : kernel.exponent();
  const double doublings = exponent * std::log2(used_->bandwidth() / kernel.bandwidth());
  const double whole = std::round(doublings);
  if (std::abs(doublings - whole) > 1e-9 || std::abs(whole) > 4) return false;
  const auto change = [doublings = static_cast<int>(whole)](Index count, double* values) {
    chosen_kernels().set->powers(count, doublings, values);
  };
  for (Index i = 0; i < lower_->rows(); ++i) change(i + 1, lower_->view().row(i));
  for (Index i = 0; i < cross_->rows(); ++i) change(cross_->cols(), cross_->view().row(i));
  return true;
}

}  // namespace weft::detail
