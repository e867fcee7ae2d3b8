#include "features/draws.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/special_functions.hpp"
#include "features/hadamard.hpp"
#include "features/quasi_random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::uint64_t draw(Index t) {
  return static_cast<std::uint64_t>(t);
}

/// Which group centre t is drawn for: by the groups' shares.
class GroupChoice {
 public:
  GroupChoice(const std::vector<ColumnGroup>& groups, std::uint64_t seed) : random_(seed, RandomStream::subset_choice) {
    double sum = 0;
    for (const ColumnGroup& group : groups) {
      alike_ = alike_ && group.share == groups.front().share;
      ends_.push_back(sum += group.share);
    }
  }

  Index operator()(Index t) const {
    if (alike_) return random_.below(static_cast<Index>(ends_.size()), draw(t));
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), random_.uniform(draw(t), 0) * ends_.back());
    return std::min<Index>(end - ends_.begin(), static_cast<Index>(ends_.size()) - 1);
  }

 private:
  Random random_;
  std::vector<double> ends_;  // running sums
  bool alike_ = true;
};

void draw_plain(FeaturePart& part, std::uint64_t seed) {
  Centres& centres = part.centres;
  const GroupChoice choice(centres.groups, seed);
  const Random random(seed, RandomStream::centres);
  for (Index t = 0; t < centres.weights.rows(); ++t) {
    const Index group = choice(t);
    centres.group_of[static_cast<std::size_t>(t)] = group;
    const auto columns = static_cast<std::uint32_t>(centres.groups[static_cast<std::size_t>(group)].columns.size());
    for (std::uint32_t j = 0; j < columns; ++j)
      centres.weights(t, j) =
          part.sigma * (part.family.law == Law::cauchy ? random.cauchy(draw(t), j) : random.normal(draw(t), j));
  }
}

/// Row t of `block` made orthogonal to the rows above it, twice because once leaves rounding behind, with its own
/// length kept. The length of a normal vector is independent of its direction, and the directions above it are all that
/// the result's direction depends on: each row stays normal by itself.
void orthogonalise(View<double> block, Index t, std::vector<double>& squares) {
  const Device& device = cpu();
  const View<const double> above = block.row_range(0, t);
  double* row = block.row(t);
  const double length = device.norm(block.cols, row);
  squares[static_cast<std::size_t>(t)] = length * length;
  std::vector<double> products(static_cast<std::size_t>(t));
  for (int pass = 0; t > 0 && pass < 2; ++pass) {
    device.multiply_vector(1, above, row, 0, products.data());
    for (std::size_t s = 0; s < products.size(); ++s) products[s] /= squares[s];
    device.multiply_vector(-1, transpose(above), products.data(), 1, row);
  }
  const double factor = length / device.norm(block.cols, row);
  for (Index j = 0; j < block.cols; ++j) row[j] *= factor;
}

// The Cauchy quantile of a normal number's rank: |z| = cot(π·P(Z > |g|)), exact far into the tails.
double cauchy_of_normal(double g) {
  const double tail = 0.5 * std::erfc(std::abs(g) / std::numbers::sqrt2);
  return std::copysign(1 / std::tan(std::numbers::pi * tail), g);
}

/// Blocks of n centres, orthogonal within the block (Yu et al. 2016). Cauchy coordinates have the ranks of such normal
/// ones.
void draw_orthogonal(FeaturePart& part, std::uint64_t seed) {
  const Random normal(seed, RandomStream::centres);
  Matrix& weights = part.centres.weights;
  const Index n = weights.cols();
  std::vector<double> squares(static_cast<std::size_t>(n));
  const SerialBlas serial_blas;
  for (Index t = 0; t < weights.rows(); ++t) {
    for (Index j = 0; j < n; ++j) weights(t, j) = normal.normal(draw(t), static_cast<std::uint32_t>(j));
    const Index first = t - t % n;
    orthogonalise(weights.view().row_range(first, t - first + 1), t - first, squares);
  }
  const bool cauchy = part.family.law == Law::cauchy;
  for (Index k = 0; k < weights.rows() * n; ++k) {
    double& weight = weights.data()[k];
    weight = part.sigma * (cauchy ? cauchy_of_normal(weight) : weight);
  }
}

/// A point of the sequence per centre; the phase, where one is drawn, is its last coordinate.
void draw_quasi_random(FeaturePart& part, Sampling sampling, std::uint64_t seed) {
  Matrix& weights = part.centres.weights;
  const Index n = weights.cols();
  const Matrix points = quasi_random_points(sampling, weights.rows(), n + (part.phase ? 0 : 1), seed);
  for (Index t = 0; t < weights.rows(); ++t) {
    for (Index j = 0; j < n; ++j) {
      const double u = points(t, j);
      weights(t, j) =
          part.sigma * (part.family.law == Law::cauchy ? std::tan(std::numbers::pi * (u - 0.5)) : normal_quantile(u));
    }
    if (!part.phase) part.centres.phases[static_cast<std::size_t>(t)] = 2 * std::numbers::pi * points(t, n);
  }
}

void draw_structured(FeaturePart& part, std::uint64_t seed) {
  if (part.family.law != Law::gaussian)
    throw Error(ErrorKind::option, fmt::format("{} has no structured draws", part.family.name()), "‹sampling›",
                "choose plain, orthogonal, halton or sobol");
  Centres& centres = part.centres;
  centres.hadamard = draw_hadamard(centres.weights.rows(), centres.weights.cols(), part.sigma, seed);
  centres.weights = hadamard_weights(centres.hadamard, centres.weights.rows(), centres.weights.cols());
}

void draw_phases(FeaturePart& part, std::uint64_t seed) {
  std::vector<double>& phases = part.centres.phases;
  const Random random(seed, RandomStream::phases);
  if (part.phase && *part.phase == 0) return;
  for (Index t = 0; t < part.centres.count(); ++t)
    phases.push_back(part.phase ? *part.phase : 2 * std::numbers::pi * random.uniform(draw(t)));
}

}  // namespace

bool samples_from_data(Sampling sampling) {
  return sampling == Sampling::eerf || sampling == Sampling::lkrf || by_leverage(sampling);
}

bool by_leverage(Sampling sampling) {
  return sampling == Sampling::leverage || sampling == Sampling::leverage_top;
}

void check_sampling_options(const FamilyOptions& options) {
  const bool from_data = samples_from_data(options.sampling);
  const auto refuse = [&](bool given, bool used, const char* option, const char* users) {
    if (given && !used)
      throw Error(ErrorKind::option, fmt::format("‹sampling› {} does not use it", name_of(*options.sampling)), option,
                  fmt::format("leave it out, or use ‹sampling› {}", users));
  };
  constexpr const char* kAll = "leverage, leverage-top, eerf or lkrf";
  refuse(options.candidates.given(), from_data, "‹candidates›", kAll);
  refuse(options.candidate_sampling.given(), from_data, "‹candidate_sampling›", kAll);
  if (samples_from_data(options.candidate_sampling))
    throw Error(ErrorKind::option, "candidates are drawn without looking at the rows", "‹candidate_sampling›",
                "choose plain, orthogonal, structured, halton or sobol");
  refuse(options.sampling_rows.given(), from_data, "‹sampling_rows›", kAll);
  refuse(options.sampling_lambda.has_value(), by_leverage(options.sampling), "‹sampling_lambda›",
         "leverage or leverage-top");
  refuse(options.sampling_rho.given(), options.sampling == Sampling::lkrf, "‹sampling_rho›", "lkrf");
  refuse(options.replacement.given(), options.sampling == Sampling::leverage, "‹replacement›", "leverage");
}

void draw_centres(FeaturePart& part, Index count, Sampling sampling, std::uint64_t seed) {
  Centres& centres = part.centres;
  if (sampling != Sampling::plain && part.family.projection.kind != Projection::Kind::dense)
    throw Error(ErrorKind::option,
                fmt::format("{} draws are for dense families, {} is not", name_of(sampling), part.family.name()),
                "‹sampling›", "name a dense ‹family› such as rff-rbf, rks-relu or rw-relu");
  centres.weights = Matrix(count, centres.weights.cols());
  centres.group_of.assign(static_cast<std::size_t>(count), 0);
  draw_phases(part, seed);
  if (sampling == Sampling::orthogonal) return draw_orthogonal(part, seed);
  if (sampling == Sampling::structured) return draw_structured(part, seed);
  if (sampling == Sampling::halton || sampling == Sampling::sobol) return draw_quasi_random(part, sampling, seed);
  draw_plain(part, seed);
}

}  // namespace weft::detail
