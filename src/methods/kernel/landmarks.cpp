#include "methods/kernel/landmarks.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "data/rows/gather_rows.hpp"
#include "data/rows/piece_sums.hpp"
#include "linalg/cholesky.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/kernel/pair_distances.hpp"
#include "sampling/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace weft::detail {

namespace {

constexpr Index kBandwidthRows = 2000;  // two million distances
constexpr Index kPilot = 1000;          // |J|
constexpr Index kPivotRows = 20000;

/// Rows in the order in which they become landmarks: fewer landmarks are the first of more.
std::vector<Index> drawn_order(Index rows, std::uint64_t seed) {
  return Random(seed, RandomStream::centres).permutation(rows);
}

std::vector<Index> first_sorted(const std::vector<Index>& order, Index count) {
  std::vector<Index> positions(order.begin(), order.begin() + std::min(count, static_cast<Index>(order.size())));
  std::sort(positions.begin(), positions.end());
  return positions;
}

double choose_bandwidth(const BlockSource& rows, std::uint64_t seed, const KernelRidgeOptions& options,
                        const Run& run) {
  if (const auto number = bandwidth_number(options)) return *number;
  const Matrix sample = gather_rows(rows, first_sorted(drawn_order(rows.rows(), seed), kBandwidthRows)).x;
  const Kernel::Kind kind = Kernel::parse_kind(options.kernel);
  const std::vector<double> all = pair_distances(sample, kind, run);
  if (all.empty()) return 1;
  const double typical = options.bandwidth == "median"
                             ? median(all)
                             : std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  if (!(typical > 0)) return 1;  // rows that are all alike have no scale: every bandwidth gives the same kernel
  return kind == Kernel::Kind::rbf ? std::sqrt(typical) : typical;
}

/// ℓ_i of every row.
std::vector<double> leverage_scores(const BlockSource& rows, const Kernel& kernel, const std::vector<Index>& pilot,
                                    std::optional<double> lambda, const Run& run) {
  const Matrix centres = gather_rows(rows, pilot).x;
  Matrix lower = kernel.gram(centres, run);
  double mean = 0;
  for (Index s = 0; s < lower.rows(); ++s) mean += lower(s, s) / static_cast<double>(lower.rows());
  const double n = static_cast<double>(rows.rows());
  // Without a source condition λ ~ 1/√n gives the optimal rate: scores are computed at that scale.
  const double strength = lambda ? *lambda : mean / std::sqrt(n);
  for (Index s = 0; s < lower.rows(); ++s)
    lower(s, s) += std::max(strength * static_cast<double>(lower.rows()), 1e-12 * mean);
  std::vector<double> scores(static_cast<std::size_t>(rows.rows()), 0.0);
  if (!cholesky_factor(lower, run.thread_count())) return scores;
  Matrix block_values;
  rows.for_each([&](const TrainingBlock& block) {
    block_values.reshape(centres.cols(), block.rows());
    kernel.values(centres, block.x, block_values, run);
    solve_lower(lower, block_values, run.thread_count());
    std::vector<double> left = kernel.diagonal(block.x, run);
    for (Index t = 0; t < block_values.rows(); ++t)
      for (Index i = 0; i < block.rows(); ++i)
        left[static_cast<std::size_t>(i)] -= block_values(t, i) * block_values(t, i);
    for (Index i = 0; i < block.rows(); ++i)
      scores[static_cast<std::size_t>(block.first_row + i)] =
          std::clamp(left[static_cast<std::size_t>(i)] / (n * strength), 0.0, 1.0);
    run.report("leverage", static_cast<double>(block.first_row + block.rows()), n);
    return true;
  });
  if (const RowShare* share = rows.share()) share->processes->add_up(scores.data(), scores.size());  // zeros elsewhere
  return scores;
}

/// `count` rows without replacement, in proportion to their scores: those with the smallest −log(u)/score (Efraimidis &
/// Spirakis 2006).
std::vector<Index> draw_by_scores(const std::vector<double>& scores, Index count, std::uint64_t seed) {
  const Random random(seed, RandomStream::centres);
  std::vector<std::pair<double, Index>> keys;
  for (std::size_t i = 0; i < scores.size(); ++i)
    keys.emplace_back(-std::log1p(-random.uniform(i, 1)) / scores[i], static_cast<Index>(i));
  std::nth_element(keys.begin(), keys.begin() + count - 1, keys.end());
  std::vector<Index> positions;
  for (Index k = 0; k < count; ++k) positions.push_back(keys[static_cast<std::size_t>(k)].second);
  std::sort(positions.begin(), positions.end());
  return positions;
}

/// Ascending.
std::vector<Index> draw_by_pivots(const BlockSource& rows, const Kernel& kernel, const std::vector<Index>& order,
                                  Index count, std::uint64_t seed, const Run& run) {
  const std::vector<Index> candidates = first_sorted(order, pivot_candidates(rows.rows(), count));
  std::vector<Index> positions;
  for (const Index pivot : pivoted_cholesky(kernel, gather_rows(rows, candidates).x, count, seed, run).pivots)
    positions.push_back(candidates[at(pivot)]);
  std::sort(positions.begin(), positions.end());
  return positions;
}

/// Of all rows.
double total_weight(const BlockSource& rows) {
  MatrixSums sums(rows, 1, 1);
  rows.for_each([&](const TrainingBlock& block) {
    double& weight = sums.of(block.first_row)(0, 0);
    for (Index i = 0; i < block.rows(); ++i) weight += block.weights == nullptr ? 1 : block.weights[i];
    return true;
  });
  return sums.all()(0, 0);
}

/// w_j over its mean, divided by the chance of being drawn over its mean. `weights` are those of the positions; empty:
/// all 1.
std::vector<double> make_shares(const BlockSource& rows, const std::vector<Index>& positions,
                                const std::vector<double>& weights, const std::vector<double>& scores) {
  std::vector<double> shares(positions.size(), 1.0);
  if (!scores.empty()) {
    const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
    const double count = static_cast<double>(positions.size());
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const double chance = std::min(1.0, count * scores[static_cast<std::size_t>(positions[k])] / total);
      shares[k] = count / (chance * static_cast<double>(rows.rows()));
    }
  }
  const double mean = total_weight(rows) / static_cast<double>(rows.rows());
  for (std::size_t k = 0; k < shares.size(); ++k) shares[k] *= (weights.empty() ? 1 : weights[k]) / mean;
  return shares;
}

}  // namespace

Index pivot_candidates(Index rows, Index landmarks) {
  return std::min(rows, std::max(kPivotRows, 5 * landmarks));
}

std::optional<std::vector<Index>> landmark_rows(const FitOptions& options, const FamilyOptions& family, Index rows) {
  const auto& own = options.own<KernelRidgeOptions>();
  if (own.landmark_sampling == LandmarkSampling::leverage) return std::nullopt;
  Index wanted =
      own.landmark_sampling == LandmarkSampling::pivoted ? pivot_candidates(rows, own.landmarks) : *own.landmarks;
  if (Kernel::has_bandwidth(Kernel::parse_kind(own.kernel)) && !bandwidth_number(own))
    wanted = std::max(wanted, kBandwidthRows);
  return first_sorted(drawn_order(rows, family.seed), wanted);
}

Kernel choose_kernel(const MapRequest& request) {
  const auto& own = request.options.own<KernelRidgeOptions>();
  std::optional<double> bandwidth, exponent;
  const Kernel::Kind kind = Kernel::parse_kind(own.kernel);
  if (Kernel::has_bandwidth(kind))
    bandwidth = choose_bandwidth(request.rows.labelled, request.family.seed, own, request.run);
  if (Kernel::has_exponent(kind)) exponent = own.exponent;
  return Kernel::make(own.kernel, bandwidth, request.family, request.inputs, request.custom, exponent);
}

FittedMap choose_landmarks(const MapRequest& request) {
  const auto& own = request.options.own<KernelRidgeOptions>();
  const BlockSource& rows = request.rows.labelled;
  const std::uint64_t seed = request.family.seed;
  Kernel kernel = choose_kernel(request);
  std::vector<Index> positions(static_cast<std::size_t>(rows.rows()));
  std::iota(positions.begin(), positions.end(), Index{0});
  std::vector<double> scores;
  const KernelSolver solver = kernel_solver(own, rows.rows());
  if (solver != KernelSolver::exact) {
    const std::vector<Index> order = drawn_order(rows.rows(), seed);
    positions = first_sorted(order, own.landmarks);
    if (own.landmark_sampling == LandmarkSampling::leverage) {
      const std::vector<Index> pilot = first_sorted(order, std::min<Index>(kPilot, own.landmarks));
      scores = leverage_scores(rows, kernel, pilot, request.options.lambda, request.run);
      // Scores that vanish to rounding would make shares that do not: no row is a thousand times less likely.
      const double floor =
          1e-3 * std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
      for (double& score : scores) score = floor > 0 ? std::max(score, floor) : 1;
      positions = draw_by_scores(scores, own.landmarks, seed);
    }
    if (own.landmark_sampling == LandmarkSampling::pivoted)
      positions = draw_by_pivots(rows, kernel, order, own.landmarks, seed, request.run);
  }
  GatheredRows landmarks = gather_rows(rows, positions);
  std::vector<double> shares;
  if (solver == KernelSolver::cg) shares = make_shares(rows, positions, landmarks.weights, scores);
  return {FeatureMap::from_sections({std::move(kernel), std::move(landmarks.x)}, request.inputs), std::move(shares)};
}

}  // namespace weft::detail
