// Effects of levels on the target, from LevelStatistics.
//
// The model: y = (1, x)·β + Σ_c u_c[level of variable c] + noise, with u_c[l] of variance τ_c² and noise of variance
// σ². Given the ratios ρ_c = σ²/τ_c², best linear unbiased prediction (Henderson 1975) is ridge regression on x and the
// indicators of the levels: u_c[l] = Σ w (y − the rest) / (Σ w + ρ_c), sums over the rows of level l. Estimating the
// effects together with β matters where levels have few rows: the mean target of two rows is mostly what x does to it.
// Each ρ_c is chosen by cross-validation on the folds, from the sums alone.
#pragma once

#include <weft/run.hpp>

#include <vector>

#include "data/encode/level_statistics_state.hpp"

namespace weft::detail {

struct LevelEffects {
  struct Variable {
    Matrix effects;    ///< outputs × levels
    Matrix by_fold;    ///< (fold, output) × levels: without the rows of the fold
    double ratio = 0;  ///< ρ
  };
  std::vector<Variable> variables;
  std::vector<double> deviation;  ///< standard deviation of each output
};

LevelEffects level_effects(const LevelStatistics::State& statistics, const Run& run);

}  // namespace weft::detail
