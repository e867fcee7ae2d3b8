// A least-squares problem with its sums, and a regulariser, for the tests of ridge and its path.
#pragma once

#include "linalg/accumulator.hpp"
#include "linalg/dense.hpp"

#include <cmath>
#include <vector>

namespace weft::test {

using namespace detail;

struct RidgeCase {
  Matrix phi;  // T×rows
  Matrix y;    // k×rows
  Accumulator sums;
};

inline RidgeCase make_case(Index features, Index rows, Index targets, std::uint64_t seed) {
  RidgeCase c{random_matrix(features, rows, seed), random_matrix(targets, rows, seed + 1),
              Accumulator(features, targets)};
  c.sums.add(c.phi.view(), c.y, nullptr, 2);
  return c;
}

inline Dense some_regulariser(Index n) {
  Dense r(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) r(i, j) = std::exp(-0.5 * std::abs(static_cast<double>(i - j)));
  return r;
}

inline std::vector<double> some_lambdas(int count) {
  std::vector<double> lambdas;
  for (int i = 0; i < count; ++i) lambdas.push_back(std::pow(10, 3 - 5.0 * i / count));
  return lambdas;
}

}  // namespace weft::test
