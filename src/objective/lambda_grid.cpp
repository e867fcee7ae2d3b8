#include "objective/lambda_grid.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

std::vector<double> lambda_grid(const NormalEquations& equations, const Penalty& penalty, Index count) {
  double balance = 0;
  for (Index t = 0; t < equations.gram.rows(); ++t)
    balance =
        std::max(balance, equations.gram(t, t) / equations.weight / (penalty.identity() ? 1 : penalty.matrix(t, t)));
  return lambda_grid(balance, count);
}

std::vector<double> lambda_grid(double balance, Index count) {
  std::vector<double> grid;
  const double step = 16 / static_cast<double>(std::max<Index>(1, count - 1));
  for (Index k = 0; k < count; ++k) grid.push_back(balance * std::pow(10.0, 1 - step * static_cast<double>(k)));
  return grid;
}

}  // namespace weft::detail
