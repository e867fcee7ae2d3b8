// λ of a least-squares problem that is known by its sums: solved on one part, scored on another.
#pragma once

#include "linalg/accumulator.hpp"
#include "objective/penalty.hpp"

#include <vector>

namespace weft::detail {

struct RidgeChoice {
  double effective = 0;             ///< what multiplies R
  double error = 0;                 ///< held out, of that λ
  std::vector<double> grid = {};    ///< effective
  std::vector<double> errors = {};  ///< held-out relative squared error; infinite for those there was no time for
};

struct RidgeTerms {
  bool intercept = true;
  double epsilon = 0;  ///< ridge added to whatever λ is
};

/// Every λ of the grid is solved on the fitted part and scored on the held-out part; where the time is too short for
/// all, the grid is tried from coarse to fine, and one λ at least. Throws where none gives finite predictions.
RidgeChoice choose_ridge(const RidgeTerms& terms, const Penalty& penalty, const Accumulator& fitted,
                         const Accumulator& held_out, const Run& run);

}  // namespace weft::detail
