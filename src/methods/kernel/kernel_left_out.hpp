// Exact kernel ridge regression without each of its rows, in closed form.
#pragma once

#include "methods/kernel/kernel_solution.hpp"
#include "methods/method.hpp"

namespace weft::detail {

/// μs from ten times the mean of k(x, x) down fourteen decades, two points each: below, rounding in K decides. Throws
/// where there are too few rows to choose among them by leaving one out.
std::vector<double> mu_grid(const ScaledKernel& kernel, const KernelTargets& targets);

/// Where errors of this kind are finite for no λ.
Error no_finite_errors(const char* kind);

/// f₋ᵢ(x_i) + c₋ᵢ, n × outputs; 0 for rows without weight, which no measure counts.
Matrix left_out_scores(const KernelSolution& solution, const KernelTargets& targets);

/// y − errors, likewise.
Matrix scores_of_errors(Matrix errors, const KernelTargets& targets);

LeftOutPath kernel_left_out(const Problem& problem);

}  // namespace weft::detail
