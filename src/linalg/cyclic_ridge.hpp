// The equations of ridge.hpp for matrices that no process holds: A = gram − W m mᵀ + λR + εI, scaled to a unit
// diagonal.
#pragma once

#include "linalg/cyclic_matrix.hpp"
#include "linalg/ridge.hpp"

#include <vector>

namespace weft::detail {

struct CyclicEquations {
  const CyclicLayout& layout;
  Communicator& processes;
  const CyclicMatrix& gram;
  const CyclicMatrix* regulariser;  ///< null: the identity
  Matrix cross;                     ///< right-hand sides, T × k, centred where there are means
  std::vector<double> means;        ///< m of the features; zeros without an intercept
  double weight = 0;                ///< W
  std::vector<bool> constant;       ///< features that vary by rounding alone: their rows and columns are zero
  std::vector<double> diagonal;     ///< of the centred gram
  std::vector<double> penalties;    ///< diagonal of R
};

struct CyclicSolution {
  Matrix coefficients;  ///< T × k, on every process
  RidgeReport report;
};

/// Collective. `factor` is overwritten. Throws Error(data) where A is not positive semidefinite even to rounding.
CyclicSolution solve_cyclic(const CyclicEquations& equations, double lambda, double epsilon, CyclicMatrix& factor);

}  // namespace weft::detail
