#include "methods/kernel/scaled_kernel.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "methods/kernel/device_kernel.hpp"
#include "methods/kernel/kernel_checks.hpp"

namespace weft::detail {

double HeldKernel::trace() const {
  double sum = 0;
  for (Index i = 0; i < kernel_.rows(); ++i) sum += kernel_(i, i);
  return sum;
}

RidgeSolution HeldKernel::solve(double mu, View<const double> rhs) const {
  return solve_regularised(kernel_, {}, mu, 0, rhs, worker_);
}

RidgeSolution HeldKernel::solve(const std::vector<Index>& rows, double mu, View<const double> rhs) const {
  const auto n = static_cast<Index>(rows.size());
  Matrix some = Matrix::unset(n, n);
  parallel_for(n, worker_.threads, [&](Index i) {
    for (Index j = 0; j < n; ++j) some(i, j) = kernel_(rows[at(i)], rows[at(j)]);
  });
  return solve_regularised(some, {}, mu, 0, rhs, worker_);
}

Matrix HeldKernel::product(const std::vector<Index>& rows, const std::vector<Index>& columns,
                           View<const double> x) const {
  Matrix result(static_cast<Index>(rows.size()), x.cols);
  parallel_for(result.rows(), worker_.threads, [&](Index i) {
    for (Index o = 0; o < x.cols; ++o)
      for (Index j = 0; j < x.rows; ++j) result(i, o) += kernel_(rows[at(i)], columns[at(j)]) * x(j, o);
  });
  return result;
}

std::unique_ptr<ScaledKernel> scaled_kernel(const Problem& problem, const std::vector<double>& roots) {
  const KernelSections& sections = *problem.map.sections();
  const Worker worker = exact_worker(problem.run, {.rows = problem.rows.rows(), .inputs = sections.landmarks.rows()});
  if (worker.device->has_own_memory() && worker.device->computes(sections.kernel.kind()))
    return std::make_unique<DeviceKernel>(*worker.device, sections, roots, problem.run);
  Run here = problem.run;
  here.device = "cpu";  // where the matrix is to be; a GPU may have no memory for it
  Matrix kernel = problem.map.gram(here);
  parallel_for(kernel.rows(), worker.threads, [&](Index i) {
    for (Index j = 0; j < kernel.cols(); ++j) kernel(i, j) *= roots[at(i)] * roots[at(j)];
  });
  return std::make_unique<HeldKernel>(std::move(kernel), worker);
}

}  // namespace weft::detail
