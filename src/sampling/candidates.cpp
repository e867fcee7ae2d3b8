#include "sampling/candidates.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "data/rows/gather_rows.hpp"
#include "data/rows/piece_sums.hpp"
#include "data/rows/row_filter.hpp"
#include "features/draws.hpp"
#include "linalg/accumulator.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// Calls consume(Φ, block) for blocks of these rows.
void for_each_scoring_block(const FeatureMap& map, const BlockSource& rows, const Run& run,
                            const std::function<void(View<const double>, const TrainingBlock&)>& consume) {
  Matrix phi;
  rows.for_each([&](const TrainingBlock& block) {
    run.check_cancelled();
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi, run);
    consume(phi, block);
    run.report("sampling", static_cast<double>(block.first_row + block.rows()), static_cast<double>(rows.rows()));
    return !run.out_of_time();  // then the rows read so far are used
  });
}

void check_weight(double weight) {
  if (!(weight > 0))
    throw Error(ErrorKind::data, "every row used to score the candidates has weight 0", "‹sampling_rows›",
                "give more, or leave it out");
}

/// (candidates + 2) × (outputs + 1): sums of w·φ·y and w·φ per candidate, of w·y and w, and of w·y².
void add_targets(View<const double> phi, const TrainingBlock& block, const std::vector<double>& origin, Matrix& sums) {
  const Index outputs = block.y.rows;
  double* const plain = sums.row(phi.rows);
  double* const squares = sums.row(phi.rows + 1);
  Matrix weighted(outputs + 1, phi.cols);
  for (Index i = 0; i < phi.cols; ++i) {
    const double w = block.weights == nullptr ? 1 : block.weights[i];
    plain[outputs] += w;
    weighted(outputs, i) = w;
    for (Index o = 0; o < outputs; ++o) {
      const double value = block.y(o, i) - origin[at(o)];
      weighted(o, i) = w * value;
      plain[o] += w * value;
      squares[o] += w * value * value;
    }
  }
  cpu().multiply(1, phi, transpose(weighted), 1, sums.view().row_range(0, phi.rows));
}

/// The first target of every output: targets count from it, so that a large mean does not cancel the digits of the
/// variance.
std::vector<double> first_targets(const BlockSource& rows) {
  const std::vector<Index> first = {0};
  const Matrix y = gather_rows(rows, first).y;
  std::vector<double> targets;
  for (Index o = 0; o < y.rows(); ++o) targets.push_back(y(o, 0));
  return targets;
}

/// --candidates, or --pool where no sparse projection has its own use for it.
Index candidate_count(const FamilyOptions& options, Index features, const ActivationPtr& custom) {
  const auto is_sparse = [](const FamilyPart& part) { return part.family.projection.kind == Projection::Kind::sparse; };
  const std::vector<FamilyPart> parts =
      options.family == "auto" ? std::vector<FamilyPart>{} : parse_family(options.family, custom);
  const bool named = options.pool && !parts.empty() && std::none_of(parts.begin(), parts.end(), is_sparse);
  if (named && options.candidates > 0)
    throw Error(ErrorKind::option, "‹pool› and ‹candidates› are one number for this family", "‹pool›",
                "give one of them");
  if (named) return *options.pool;
  return options.candidates > 0 ? *options.candidates : 10 * features;
}

}  // namespace

FeatureMap draw_candidates(const FamilyOptions& options, const Inputs& inputs, double square_matrices, const Run& run,
                           const ActivationPtr& custom) {
  std::vector<Index> sizes = part_sizes(options, inputs, custom);
  const Index features = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  const Index wanted = candidate_count(options, features, custom);
  if (wanted < features)
    throw Error(ErrorKind::option, fmt::format("{} features cannot be chosen among {}", features, wanted),
                options.candidates > 0 ? "‹candidates›" : "‹pool›",
                fmt::format("give at least {}; the default is ten times as many", features));
  const auto count = static_cast<double>(wanted);
  MemoryPlan plan(run);
  plan.hold("square matrices of the candidates", square_matrices * count * count);
  plan.hold("candidates and a block of them", static_cast<double>(inputs.columns() + kBlockRows) * count);
  plan.check(fmt::format("{} candidates", wanted), "‹candidates›", "give fewer, or choose fewer ‹features›");
  // Shares of `wanted`, rounded so that they add up to it.
  Index before = 0;
  Index given = 0;
  for (Index& size : sizes) {
    before += size;
    const Index end =
        static_cast<Index>(static_cast<double>(wanted) * static_cast<double>(before) / static_cast<double>(features));
    size = end - given;
    given = end;
  }
  return draw_parts(options, inputs, sizes, custom);
}

std::unique_ptr<BlockSource> scoring_rows(const BlockSource& rows, const FamilyOptions& options) {
  if (options.sampling_rows == 0 || options.sampling_rows >= rows.rows()) return nullptr;
  // Each with the probability that completes the number (Knuth's algorithm S).
  const Random random(options.seed, RandomStream::sampling_rows);
  std::vector<bool> keep(static_cast<std::size_t>(rows.rows()));
  Index missing = options.sampling_rows;
  for (Index row = 0; row < rows.rows(); ++row) {
    const double left = static_cast<double>(rows.rows() - row);
    if (random.uniform(static_cast<std::uint64_t>(row)) * left >= static_cast<double>(missing)) continue;
    keep[static_cast<std::size_t>(row)] = true;
    --missing;
  }
  return filter_rows(rows, std::move(keep));
}

Matrix candidate_gram(const FeatureMap& candidates, const BlockSource& all, const FamilyOptions& options,
                      const Run& run) {
  const auto some = scoring_rows(all, options);
  const BlockSource& rows = some ? *some : all;
  PieceSums<Accumulator> pieces(share_or_whole(rows), [&] { return Accumulator(candidates.features(), 0); },
                                {[](Accumulator& value, Accumulator& next) { value.merge(next); },
                                 [](const Accumulator& value) { return value.to_bytes(); },
                                 [](const std::string& bytes) { return Accumulator::from_bytes(bytes); }});
  for_each_scoring_block(candidates, rows, run, [&](View<const double> phi, const TrainingBlock& block) {
    pieces.of(block.first_row).add(phi, View<const double>(nullptr, 0, phi.cols), block.weights, run.thread_count());
  });
  const Accumulator sums = pieces.all();
  check_weight(sums.weight());
  const double factor = 1 / (static_cast<double>(candidates.features()) * sums.weight());
  const View<const double> lower = sums.gram_lower();
  Matrix gram(lower.rows, lower.cols);
  for (Index s = 0; s < lower.rows; ++s)
    for (Index t = 0; t <= s; ++t) gram(s, t) = factor * lower(s, t);
  return gram;
}

std::vector<double> candidate_alignments(const FeatureMap& candidates, const BlockSource& all,
                                         const FamilyOptions& options, const Run& run) {
  const auto some = scoring_rows(all, options);
  const BlockSource& rows = some ? *some : all;
  const Index count = candidates.features();
  const Index outputs = rows.outputs();
  const std::vector<double> origin = first_targets(rows);
  MatrixSums pieces(rows, count + 2, outputs + 1);
  for_each_scoring_block(candidates, rows, run, [&](View<const double> phi, const TrainingBlock& block) {
    add_targets(phi, block, origin, pieces.of(block.first_row));
  });
  const Matrix sums = pieces.all();
  const double weight = sums(count, outputs);
  check_weight(weight);
  std::vector<double> squares(at(count));
  for (Index o = 0; o < outputs; ++o) {
    const double mean = sums(count, o) / weight;
    const double variance = sums(count + 1, o) / weight - mean * mean;
    if (!(variance > 0)) continue;  // a constant output is correlated with no feature
    for (Index t = 0; t < count; ++t) {
      const double sum = (sums(t, o) - mean * sums(t, outputs)) / weight;
      squares[at(t)] += sum * sum / variance;
    }
  }
  return squares;
}

}  // namespace weft::detail
