// The choice that every sampler makes among a pool of features, from sums over rows alone: leading blocks of the sums
// are the pools of smaller sizes, and a choice of their rows and columns are the sums of the chosen features.
#pragma once

#include <weft/leverage.hpp>

#include <string>
#include <vector>

namespace weft::papers {

/// Sums over rows of features φ and one target y.
struct PoolSums {
  explicit PoolSums(Index features);
  /// Adds rows: phi is features × rows, y one number per row.
  void add(View<const double> phi, const double* y);
  void merge(const PoolSums& other);
  /// The sums of some of the features, each times its scale.
  PoolSums subset(const ChosenFeatures& chosen) const;

  Index features() const { return gram.rows(); }

  double rows = 0;
  Matrix gram;                       ///< Σφφᵀ, lower triangle
  std::vector<double> cross;         ///< Σyφ
  std::vector<double> feature_sums;  ///< Σφ
  double target_sum = 0;             ///< Σy
  double target_squares = 0;         ///< Σy²
};

struct PoolChoice {
  Sampling sampling = Sampling::plain;  ///< plain, leverage, leverage-top, eerf, lkrf
  Index features = 0;                   ///< M
  Index pool = 0;                       ///< M₀: the first of the features of the sums
  double lambda = 0;                    ///< of leverage scores
  std::uint64_t seed = 1;
};

/// What the features of the pool are chosen by: leverage scores, or alignments with the target; empty for plain draws.
/// They do not depend on M, the seed, or which of the leverage samplers it is.
std::vector<double> scores_from_sums(const PoolSums& sums, const PoolChoice& wanted);
/// The choice by these scores. Leverage is Algorithm 1 of the paper to the letter (resample); the others are the
/// library's.
ChosenFeatures choose_by_scores(const std::vector<double>& scores, const PoolChoice& wanted);
ChosenFeatures choose_from_sums(const PoolSums& sums, const PoolChoice& wanted);

/// Algorithm 1 of Shahrampour & Kolouri 2019: `count` draws with replacement from q = scores/Σscores. A draw is worth
/// 1/(M₀q) of the kernel, so that uniform scores leave features as they are. D distinct candidates are drawn; one drawn
/// c times becomes one feature with scale √(c/(M₀q) · D/count): the mean of φφ' over the features is that over the
/// draws.
ChosenFeatures resample(const std::vector<double>& scores, Index count, std::uint64_t seed);

/// Ridge regression with an intercept: min (1/n)Σ(y − a − bᵀφ)² + λ‖b‖².
struct LinearFit {
  std::vector<double> coefficients;
  double intercept = 0;
};
/// One fit per λ, all of them positive, from one decomposition.
std::vector<LinearFit> ridge_fits(const PoolSums& sums, const std::vector<double>& lambdas);

/// The mean squared error of a fit on the rows of these sums.
double mean_square(const PoolSums& sums, const LinearFit& fit);

}  // namespace weft::papers
