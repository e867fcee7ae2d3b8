#include "methods/kernel/pair_distances.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

std::vector<double> pair_distances(const Matrix& x, Kernel::Kind kind, const Run& run) {
  const Index n = x.cols();
  const bool squared = kind != Kernel::Kind::laplace;
  std::vector<double> all(static_cast<std::size_t>(n * (n - 1) / 2));
  parallel_for(n, run.thread_count(), [&](Index i) {
    double* out = all.data() + i * (i - 1) / 2;
    for (Index j = 0; j < x.rows(); ++j)
      for (Index k = 0; k < i; ++k) {
        const double d = x(j, i) - x(j, k);
        out[k] += squared ? d * d : std::abs(d);
      }
    if (kind == Kernel::Kind::laplace_l2)
      for (Index k = 0; k < i; ++k) out[k] = std::sqrt(out[k]);
  });
  return all;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<Index>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace weft::detail
