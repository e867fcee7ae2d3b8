#include "methods/fold_rows.hpp"

#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "methods/method.hpp"
#include "methods/partitioned_block.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// Adds the rows starts[p] … starts[p + 1] of the block to the sums of part p.
template <class Real>
void add_parts(View<const Real> features, const TrainingBlock& block, const std::vector<Index>& starts,
               std::vector<Accumulator>& sums, int threads) {
  for (std::size_t p = 0; p < sums.size(); ++p) {
    const Index first = starts[p];
    const Index count = starts[p + 1] - first;
    if (count > 0)
      sums[p].add(features.col_range(first, count), block.y.col_range(first, count),
                  block.weights == nullptr ? nullptr : block.weights + first, threads);
  }
}

std::vector<double> target_means(const TrainingBlock& block) {
  std::vector<double> means;
  for (Index o = 0; o < block.y.rows; ++o)
    means.push_back(std::accumulate(block.y.row(o), block.y.row(o) + block.rows(), 0.0) /
                    static_cast<double>(block.rows()));
  return means;
}

}  // namespace

std::vector<PartSums> accumulate_parts(MapSet& maps, const BlockSource& source, const FitOptions& options, Index parts,
                                       const PartOf& part_of, const Run& run) {
  std::vector<double> shift(static_cast<std::size_t>(source.outputs()), 0.0);
  std::vector<PartSums> sums(maps.size());
  const auto start = [&] {
    for (std::size_t k = 0; k < maps.size(); ++k)
      sums[k].parts.assign(static_cast<std::size_t>(parts),
                           Accumulator(maps.map(k).features(), source.outputs(), shift));
  };
  PartitionedBlock partitioned;
  const bool single = own_value<Precision>(options.method, "precision") == Precision::float32;
  Index stopped_at = 0;
  source.for_each([&](const TrainingBlock& block) {
    if (sums.front().parts.empty()) {
      if (options.intercept) shift = target_means(block);
      start();
    }
    const TrainingBlock rows = partitioned.partition(block, parts, part_of);
    if (!single) maps.start(rows.x, run);
    for (std::size_t k = 0; k < maps.size(); ++k)
      if (single)
        add_parts(maps.features_single(k, rows.x, run), rows, partitioned.starts(), sums[k].parts, run.thread_count());
      else
        add_parts(maps.features(k, rows.x, run), rows, partitioned.starts(), sums[k].parts, run.thread_count());
    const Index done = block.first_row + block.rows();
    run.report("accumulate", static_cast<double>(done), static_cast<double>(source.rows()));
    if (!run.out_of_time() || done == source.rows()) return true;
    stopped_at = done;
    return false;
  });
  if (sums.front().parts.empty()) start();
  for (PartSums& of_map : sums) {
    of_map.shift = shift;
    of_map.stopped_at = stopped_at;
  }
  return sums;
}

PartSums accumulate_parts(const Problem& problem, Index parts, const PartOf& part_of) {
  MapSet maps(problem.map);
  return std::move(accumulate_parts(maps, problem.rows, problem.options, parts, part_of, problem.run).front());
}

Accumulator HeldOutSums::all() && {
  if (held_out) fitted.merge(*held_out);
  return std::move(fitted);
}

PartOf held_out_part(const FamilyOptions& family, const FitOptions& options) {
  return [draws = Random(family.seed, RandomStream::split), share = options.lambda_holdout](Index row) {
    return draws.uniform(static_cast<std::uint64_t>(row)) < share ? 1 : 0;
  };
}

void check_parts(const std::vector<Accumulator>& parts) {
  for (const Accumulator& part : parts)
    if (!(part.weight() > 0))
      throw Error(ErrorKind::data, "there are too few rows (of positive weight) to hold some out for choosing lambda",
                  "‹lambda›", "give a lambda, or more rows");
}

HeldOutSums accumulate_held_out(const Problem& problem, bool hold_out, FitReport& report) {
  const Stopwatch clock;
  PartSums sums = accumulate_parts(problem, hold_out ? 2 : 1, held_out_part(problem.family, problem.options));
  report.seconds.emplace_back("accumulate", clock.seconds());
  if (sums.stopped_at > 0) {
    report.set("stopped", "time budget");
    report.warnings.push_back(
        fmt::format("time limit reached after {} of {} rows: the model is fitted on those; raise ‹max_time›",
                    sums.stopped_at, problem.rows.rows()));
  }
  check_parts(sums.parts);
  HeldOutSums result{std::move(sums.parts.front()), std::nullopt, std::move(sums.shift)};
  if (hold_out) result.held_out = std::move(sums.parts.back());
  return result;
}

}  // namespace weft::detail
