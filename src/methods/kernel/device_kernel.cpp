#include "methods/kernel/device_kernel.hpp"

#include "core/at.hpp"

#include <algorithm>
#include <numeric>

namespace weft::detail {

/// SKS + μI.
class DeviceKernel::Shifted final : public RidgeMatrix {
 public:
  Shifted(const DeviceKernel& kernel, double mu) : kernel_(kernel), mu_(mu) {}

  std::vector<double> diagonal() const override {
    std::vector<double> result = kernel_.diagonal_;
    for (double& value : result) value += mu_;
    return result;
  }

  void scaled_lower(const std::vector<double>& scale, double jitter, DeviceMatrix<double>& lower) const override {
    const DeviceKernel& k = kernel_;
    std::vector<double> factors = k.roots_;
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] *= scale[i];
    k.device_.kernel_values(k.sections_.kernel, k.centres_, k.sections_.prepared, k.centres_, lower, true, k.run_);
    k.device_.scaled_normal(lower, {}, 0, factors.data(), jitter, lower, k.run_.thread_count());
  }

  Matrix residual(View<const double> rhs, View<const double> x) const override {
    Matrix result = kernel_.sums(kernel_.centres_, x);
    for (Index i = 0; i < rhs.rows; ++i)
      for (Index c = 0; c < rhs.cols; ++c)
        result(i, c) = rhs(i, c) - kernel_.roots_[at(i)] * result(i, c) - mu_ * x(i, c);
    return result;
  }

 private:
  const DeviceKernel& kernel_;
  double mu_;
};

DeviceKernel::DeviceKernel(const Device& device, const KernelSections& sections, std::vector<double> roots,
                           const Run& run)
    : device_(device),
      sections_(sections),
      run_(run),
      roots_(std::move(roots)),
      diagonal_(sections.kernel.diagonal(sections.landmarks, run)),
      centres_(device, sections.landmarks) {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] *= roots_[i] * roots_[i];
}

double DeviceKernel::trace() const {
  return std::accumulate(diagonal_.begin(), diagonal_.end(), 0.0);
}

RidgeSolution DeviceKernel::solve(double mu, View<const double> rhs) const {
  check_ridge_strength(mu, 0);
  return solve_ridge(Shifted(*this, mu), rhs, {device_, run_.thread_count()});
}

RidgeSolution DeviceKernel::solve(const std::vector<Index>& rows, double mu, View<const double> rhs) const {
  const KernelSections some = sections_.subset(rows);
  return DeviceKernel(device_, some, roots_of(rows), run_).solve(mu, rhs);
}

Matrix DeviceKernel::product(const std::vector<Index>& rows, const std::vector<Index>& columns,
                             View<const double> x) const {
  const KernelSections some = sections_.subset(columns);
  Matrix result = DeviceKernel(device_, some, roots_of(columns), run_).sums(sections_.subset(rows).landmarks, x);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index c = 0; c < result.cols(); ++c) result(i, c) *= roots_[at(rows[at(i)])];
  return result;
}

Matrix DeviceKernel::sums(View<const double> x, View<const double> a) const {
  Matrix scaled(a.rows, a.cols);
  for (Index j = 0; j < a.rows; ++j)
    for (Index c = 0; c < a.cols; ++c) scaled(j, c) = roots_[at(j)] * a(j, c);
  const DeviceMatrix<double> right(device_, scaled);
  DeviceMatrix<double> block(device_), result(device_, x.cols, a.cols);
  for (Index first = 0; first < x.cols; first += kBlockRows) {
    run_.check_cancelled();
    const Index count = std::min(kBlockRows, x.cols - first);
    block.reshape(rows(), count);
    device_.kernel_values(sections_.kernel, centres_, sections_.prepared, x.col_range(first, count), block, false,
                          run_);
    device_.multiply(1, transpose(block.view()), right.view(), 0, result.view().row_range(first, count));
  }
  return result.on_host();
}

std::vector<double> DeviceKernel::roots_of(const std::vector<Index>& rows) const {
  std::vector<double> roots;
  for (const Index row : rows) roots.push_back(roots_[at(row)]);
  return roots;
}

}  // namespace weft::detail
