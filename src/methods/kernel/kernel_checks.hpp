// What can be said about a kernel machine before a row is read.
#pragma once

#include <weft/fit.hpp>

#include <optional>

namespace weft::detail {

/// Throws naming the option that --fit kernel-ridge, or its kernel, has no use for.
void check_kernel_options(const FamilyOptions& family, const FitOptions& options);

/// options.bandwidth where it is a number, nullopt for mean and median; throws for anything else.
std::optional<double> bandwidth_number(const FitOptions& options);

/// exact: every row is a centre. direct: least squares on the landmarks' sections. cg: the same, iteratively.
enum class KernelSolver { exact, direct, cg };
KernelSolver kernel_solver(const FitOptions& options, Index rows);

/// Throws Error(memory) with what is needed, and what would do, where the square matrices do not fit. Returns the bytes
/// that are left for the rows.
double check_kernel_memory(Index rows, Index inputs, const FitOptions& options, const Run& run);

}  // namespace weft::detail
