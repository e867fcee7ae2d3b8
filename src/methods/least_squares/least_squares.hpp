// The half of a least-squares fit that reads no rows: from sums to coefficients.
#pragma once

#include "methods/calibration.hpp"
#include "methods/fold_rows.hpp"
#include "methods/problem.hpp"
#include "objective/penalty.hpp"

#include <optional>

namespace weft::detail {

/// T × T matrices that a fit by sums holds at once: sums fitted and held out, equations, penalty, factor. Calibration
/// has the sums of three folds besides.
inline constexpr double kSumsMatrices = 5;
inline constexpr double kCalibrationMatrices = 3;

/// The same with as many sums fitted and held out as there are while so many rows are added
/// (distributed/merge_tree.hpp).
double sums_matrices(Index rows);

FitResult fit_least_squares(const Problem& problem);
/// The same from sums; the problem's rows are those that are to be scored, and may be none.
FitResult solve_least_squares(const Problem& sample, HeldOutSums sums);
/// The same where the T × T matrices are shared out over processes (RowShare::matrices).
FitResult fit_cyclic(const Problem& problem);
/// How the equations were solved, in the report of a fit.
void report_solution(FitReport& report, const RidgeReport& ridge);

/// The fit's penalty; its kind and the time it took are in the report.
Penalty timed_penalty(const FeatureMap& map, const FitOptions& options, const Run& run, FitReport& report);

/// Chooses λ on the held-out sums, where there are any, and solves for all rows. Returns what multiplies the penalty,
/// nullopt where λ is so large that all features vanish. `solved`: where to keep the equations; null: nowhere.
std::optional<double> solve_sums(const FeatureMap& map, const FitOptions& options, const Penalty& penalty,
                                 HeldOutSums sums, const Run& run, FitResult& result,
                                 SolvedEquations* solved = nullptr);

}  // namespace weft::detail
