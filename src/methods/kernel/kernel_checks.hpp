// Checks of a kernel machine before any row is read.
#pragma once

#include "compute/worker.hpp"
#include "methods/method.hpp"

#include <optional>

namespace weft::detail {

/// Throws naming the option that --fit kernel-ridge, or its kernel, does not use.
void check_kernel_options(const FitOptions& options, const FamilyOptions& family);

/// The bandwidth where the text is a number, nullopt where it is one of `words`; throws for anything else.
std::optional<double> bandwidth_number(const std::string& text, const std::vector<std::string>& words);
/// Of kernel-ridge: mean, median or a number.
std::optional<double> bandwidth_number(const KernelRidgeOptions& options);

/// exact: every row is a centre. direct: least squares on the landmarks' sections. cg: the same, iteratively.
enum class KernelSolver { exact, direct, cg };
KernelSolver kernel_solver(const KernelRidgeOptions& options, Index rows);

/// Who solves the exact equations of so many rows and inputs: a GPU where the run has one with enough free memory for a
/// factor and the blocks beside it, else the processor.
Worker exact_worker(const Run& run, const ProblemSize& size);

/// Throws Error(memory) with what is needed, and what would do, where the square matrices do not fit. Returns the bytes
/// that are left for the rows.
double check_kernel_memory(const FitOptions& options, const ProblemSize& size, const Run& run);

}  // namespace weft::detail
