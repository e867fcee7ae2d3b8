#pragma once

#include "linalg/normal_equations.hpp"
#include "objective/penalty.hpp"

#include <vector>

namespace weft::detail {

/// Effective λs, descending: `count` of them on sixteen decades, from ten times the λ at which the penalty of the least
/// penalised feature equals its share of the data. (Traces would not do as that scale: the weakest amplitudes have by
/// far the largest penalties.)
std::vector<double> lambda_grid(const NormalEquations& equations, const Penalty& penalty, Index count);

/// The same for a given balance of data and penalty.
std::vector<double> lambda_grid(double balance, Index count);

/// λs of a least-squares path: two a decade.
inline constexpr Index kGridLambdas = 33;

}  // namespace weft::detail
