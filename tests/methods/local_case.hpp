// Rows of known functions for kernel equations, trees and relevance.
#pragma once

#include "core/random.hpp"
#include "methods/local/relevance.hpp"

#include <functional>

namespace weft::testing_local {

using namespace detail;

/// Uniform inputs on [−1, 1], y = f(x) + noise of this deviation.
inline LabelledRows function_rows(Index inputs, Index count, const std::function<double(const double*)>& f,
                                  double noise, std::uint64_t seed) {
  const Random draws(seed, RandomStream::generator);
  LabelledRows rows{Matrix(inputs, count), Matrix(count, 1), {}};
  std::vector<double> point(static_cast<std::size_t>(inputs));
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < inputs; ++j)
      point[static_cast<std::size_t>(j)] = rows.x(j, i) =
          2 * draws.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j)) - 1;
    rows.y(i, 0) = f(point.data()) + noise * draws.normal(static_cast<std::uint64_t>(i), 1000);
  }
  return rows;
}

inline KernelForm laplace_form(bool l2 = false) {
  KernelForm form;
  form.name = l2 ? "laplace-l2" : "laplace";
  form.kind = l2 ? Kernel::Kind::laplace_l2 : Kernel::Kind::laplace;
  form.full = l2;
  return form;
}

}  // namespace weft::testing_local
