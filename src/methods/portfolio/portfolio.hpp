// The best of a portfolio of learned kernels: forms of the kernel × local and global fits, each with its relevance,
// bandwidth and λ chosen on rows that are held out; then their greedy average, fitted to all rows.
#pragma once

#include "methods/method.hpp"

namespace weft::detail {

FitResult fit_portfolio(const Problem& problem);

double check_portfolio_memory(const FitOptions& options, const ProblemSize& size, const Run& run);

}  // namespace weft::detail
