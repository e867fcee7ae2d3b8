// Leverage scores of random features (Shahrampour & Kolouri 2019): how much each candidate contributes beyond the
// others on the rows.
#pragma once

#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>

#include <vector>

namespace WEFT_PUBLIC weft {

/// diag of G(G+λI)⁻¹ for G = ΦᵀΦ/(M₀·N): between 0 (redundant given the other candidates) and 1.
struct LeverageScores {
  double lambda = 0;
  std::vector<double> scores;      ///< one per candidate
  double effective_dimension = 0;  ///< their sum, d_λ: the effective number of features at λ
  double max_over_mean = 1;        ///< 1: sampling by them is uniform
  double uniformity = 1;           ///< exp(entropy)/M₀ of the sampling probabilities; 1: uniform
  /// Features that Ma et al. 2025 ask for so that a draw keeps the kernel of the pool (Theorem 3.2, with probability
  /// 0.95): drawn by the scores, 5d·log(16d/δ) (corollary 3.3, and S of Theorem 4.1), and plainly, 5z/λ·log(16d/δ) with
  /// z the largest mean square of a candidate (corollary 3.4, and s of Theorem 4.1), which bounds its score times M₀λ.
  double weighted_features = 0;
  double plain_features = 0;
  /// Shahrampour & Kolouri 2019, Theorem 1: features to draw by the scores, 5d·log(16Nd), the rows N₀ that it wants the
  /// scores to be made of, (32/3)·M₀·log(1/δ), and its errors beside that of N rows, in units of the loss's slope times
  /// √F (docs/mathematics.md §7.2).
  double elss_features = 0;
  double elss_rows = 0;
  double kernel_error = 0;                 ///< Er(k): of the pool's kernel for that of its law
  std::optional<double> score_error = {};  ///< Er(g): of the scores; absent where N₀ is too small or G singular

  /// Counts of the scores in 20 bins of equal width from the smallest to the largest.
  struct Histogram {
    double low = 0;
    double width = 0;
    std::vector<Index> counts;

    double edge(std::size_t bin) const { return low + width * static_cast<double>(bin); }
  };
  Histogram histogram() const;
  std::string to_json() const;
};

struct Leverage {
  FeatureMap candidates;
  Index rows = 0;  ///< used for the scores
  std::vector<LeverageScores> by_lambda = {};

  std::string to_json() const;  ///< without the features themselves
};

/// Draws options.candidates features (ten times options.features where 0) for the inputs of a table and scores them for
/// every lambda; without lambdas, for 1/rows. A target named by the data is ignored.
Leverage leverage(const Data& data, const FamilyOptions& options, const std::vector<double>& lambdas = {},
                  const EncodeOptions& encode = {}, const Run& run = {}, const ActivationPtr& custom = nullptr);

/// Some of a map's features: map.subset(positions, scales).
struct ChosenFeatures {
  std::vector<Index> positions;  ///< strictly ascending
  std::vector<double> scales;    ///< one per position, positive; empty: all 1
};

/// `count` of the candidates with these scores, as options.sampling (leverage, leverage-top, eerf or lkrf) chooses.
ChosenFeatures choose_candidates(const std::vector<double>& scores, Index count, const FamilyOptions& options);

}  // namespace weft
