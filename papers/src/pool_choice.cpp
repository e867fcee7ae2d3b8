#include "pool_choice.hpp"

#include <weft/error.hpp>

#include "dense.hpp"
#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace weft::papers {

namespace {

ChosenFeatures first(Index count) {
  std::vector<Index> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), Index{0});
  return {std::move(positions), {}};
}

/// diag of G(G+λI)⁻¹ for G = ΦᵀΦ/(M₀·n) of the pool.
std::vector<double> leverage_of(const PoolSums& sums, Index pool, double lambda) {
  Matrix shifted(pool, pool);
  for (Index s = 0; s < pool; ++s) {
    for (Index t = 0; t <= s; ++t) shifted(s, t) = sums.gram(s, t) / (static_cast<double>(pool) * sums.rows);
    shifted(s, s) += lambda;
  }
  if (!cholesky(shifted))
    throw Error(ErrorKind::data, fmt::format("leverage scores at lambda = {:g} are lost in rounding", lambda), {},
                "use a larger lambda");
  std::vector<double> scores = inverse_diagonal(std::move(shifted));
  for (double& score : scores) score = std::clamp(1 - lambda * score, 0.0, 1.0);
  return scores;
}

/// ((1/n)Σ (y − ȳ)φ)², how far each feature of the pool is aligned with the target.
std::vector<double> alignments_of(const PoolSums& sums, Index pool) {
  const double mean = sums.target_sum / sums.rows;
  std::vector<double> squares;
  for (std::size_t t = 0; t < static_cast<std::size_t>(pool); ++t) {
    const double moment = (sums.cross[t] - mean * sums.feature_sums[t]) / sums.rows;
    squares.push_back(moment * moment);
  }
  return squares;
}

}  // namespace

PoolSums::PoolSums(Index features)
    : gram(features, features),
      cross(static_cast<std::size_t>(features)),
      feature_sums(static_cast<std::size_t>(features)) {}

void PoolSums::add(View<const double> phi, const double* y) {
  add_gram(phi, gram);
  for (Index t = 0; t < phi.rows; ++t) {
    const auto at = static_cast<std::size_t>(t);
    cross[at] = std::inner_product(phi.row(t), phi.row(t) + phi.cols, y, cross[at]);
    feature_sums[at] = std::accumulate(phi.row(t), phi.row(t) + phi.cols, feature_sums[at]);
  }
  rows += static_cast<double>(phi.cols);
  target_sum = std::accumulate(y, y + phi.cols, target_sum);
  target_squares = std::inner_product(y, y + phi.cols, y, target_squares);
}

void PoolSums::merge(const PoolSums& other) {
  for (Index i = 0; i < gram.rows() * gram.cols(); ++i) gram.data()[i] += other.gram.data()[i];
  for (std::size_t t = 0; t < cross.size(); ++t) {
    cross[t] += other.cross[t];
    feature_sums[t] += other.feature_sums[t];
  }
  rows += other.rows;
  target_sum += other.target_sum;
  target_squares += other.target_squares;
}

PoolSums PoolSums::subset(const ChosenFeatures& chosen) const {
  const auto count = static_cast<Index>(chosen.positions.size());
  const auto scale = [&](Index t) { return chosen.scales.empty() ? 1 : chosen.scales[static_cast<std::size_t>(t)]; };
  PoolSums taken(count);
  for (Index s = 0; s < count; ++s) {
    const Index from = chosen.positions[static_cast<std::size_t>(s)];
    // Positions ascend: the lower triangle is taken from the lower triangle.
    for (Index t = 0; t <= s; ++t)
      taken.gram(s, t) = scale(s) * scale(t) * gram(from, chosen.positions[static_cast<std::size_t>(t)]);
    taken.cross[static_cast<std::size_t>(s)] = scale(s) * cross[static_cast<std::size_t>(from)];
    taken.feature_sums[static_cast<std::size_t>(s)] = scale(s) * feature_sums[static_cast<std::size_t>(from)];
  }
  taken.rows = rows;
  taken.target_sum = target_sum;
  taken.target_squares = target_squares;
  return taken;
}

std::vector<double> scores_from_sums(const PoolSums& sums, const PoolChoice& wanted) {
  if (wanted.sampling == Sampling::plain) return {};
  const bool leverage = wanted.sampling == Sampling::leverage || wanted.sampling == Sampling::leverage_top;
  return leverage ? leverage_of(sums, wanted.pool, wanted.lambda) : alignments_of(sums, wanted.pool);
}

ChosenFeatures choose_by_scores(const std::vector<double>& scores, const PoolChoice& wanted) {
  if (wanted.sampling == Sampling::plain) return first(wanted.features);
  if (wanted.sampling == Sampling::leverage) return resample(scores, wanted.features, wanted.seed);
  FamilyOptions family;
  family.sampling = wanted.sampling;
  family.seed = wanted.seed;
  return choose_candidates(scores, wanted.features, family);
}

ChosenFeatures choose_from_sums(const PoolSums& sums, const PoolChoice& wanted) {
  return choose_by_scores(scores_from_sums(sums, wanted), wanted);
}

ChosenFeatures resample(const std::vector<double>& scores, Index count, std::uint64_t seed) {
  std::vector<double> ends(scores.size());
  std::partial_sum(scores.begin(), scores.end(), ends.begin());
  const double total = ends.back();
  if (!(total > 0)) throw Error(ErrorKind::data, "every candidate has the leverage score 0");
  const Random random(seed, Draws::resampling);
  std::vector<Index> drawn(scores.size());
  for (Index k = 0; k < count; ++k) {
    const double u = total * random.uniform(static_cast<std::uint64_t>(k));
    auto end = std::upper_bound(ends.begin(), ends.end(), u);
    if (end == ends.end()) end = std::lower_bound(ends.begin(), ends.end(), total);  // u rounded up to the total
    ++drawn[static_cast<std::size_t>(end - ends.begin())];
  }
  const auto distinct = static_cast<double>(std::count_if(drawn.begin(), drawn.end(), [](Index c) { return c > 0; }));
  ChosenFeatures chosen;
  for (std::size_t t = 0; t < drawn.size(); ++t) {
    if (drawn[t] == 0) continue;
    const double uniform = total / (static_cast<double>(scores.size()) * scores[t]);  // 1/(M₀q)
    chosen.positions.push_back(static_cast<Index>(t));
    chosen.scales.push_back(std::sqrt(static_cast<double>(drawn[t]) * uniform * distinct / static_cast<double>(count)));
  }
  return chosen;
}

std::vector<LinearFit> ridge_fits(const PoolSums& sums, const std::vector<double>& lambdas) {
  const auto count = static_cast<std::size_t>(sums.features());
  Matrix gram(sums.features(), sums.features());
  std::vector<double> cross(count);
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t t = 0; t <= s; ++t)
      gram(static_cast<Index>(s), static_cast<Index>(t)) = sums.gram(static_cast<Index>(s), static_cast<Index>(t)) -
                                                           sums.feature_sums[s] * sums.feature_sums[t] / sums.rows;
    cross[s] = sums.cross[s] - sums.feature_sums[s] * sums.target_sum / sums.rows;
  }
  const Spectrum spectrum_of_gram = spectrum(std::move(gram));
  std::vector<double> moments;  // along the eigenvectors
  for (Index k = 0; k < sums.features(); ++k) {
    const double* const vector = spectrum_of_gram.vectors.row(k);
    moments.push_back(std::inner_product(cross.begin(), cross.end(), vector, 0.0));
  }
  std::vector<LinearFit> fits;
  for (const double lambda : lambdas) {
    LinearFit fit{std::vector<double>(count), sums.target_sum / sums.rows};
    for (std::size_t k = 0; k < count; ++k) {
      const double along = moments[k] / (std::max(spectrum_of_gram.values[k], 0.0) + lambda * sums.rows);
      for (std::size_t t = 0; t < count; ++t)
        fit.coefficients[t] += along * spectrum_of_gram.vectors(static_cast<Index>(k), static_cast<Index>(t));
    }
    for (std::size_t t = 0; t < count; ++t) fit.intercept -= fit.coefficients[t] * sums.feature_sums[t] / sums.rows;
    fits.push_back(std::move(fit));
  }
  return fits;
}

double mean_square(const PoolSums& sums, const LinearFit& fit) {
  const std::vector<double>& b = fit.coefficients;
  // Σ(y − a − bᵀφ)² = Σy² + a²n − 2aΣy + Σ_t b_t(Σ_s b_s G_st + 2aΣφ_t − 2Σyφ_t)
  double total = sums.target_squares + fit.intercept * (fit.intercept * sums.rows - 2 * sums.target_sum);
  for (Index t = 0; t < sums.features(); ++t) {
    const auto at = static_cast<std::size_t>(t);
    double row = b[at] * sums.gram(t, t) + 2 * (fit.intercept * sums.feature_sums[at] - sums.cross[at]);
    for (Index s = 0; s < t; ++s) row += 2 * b[static_cast<std::size_t>(s)] * sums.gram(t, s);
    total += b[at] * row;
  }
  return total / sums.rows;
}

}  // namespace weft::papers
