#include "methods/fold_rows.hpp"

#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "data/rows/row_filter.hpp"
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

/// Solving for a few λs takes as long as adding this many rows per feature; for all of them, up to 20.
constexpr double kSolveRows = 5;
constexpr double kLeastRows = 500;  // of a pass over all rows

void merge_parts(PartSums more, PartSums& sums) {
  if (sums.parts.empty()) {
    sums = std::move(more);
    return;
  }
  for (std::size_t p = 0; p < sums.parts.size(); ++p) sums.parts[p].merge(more.parts[p]);
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

PartOf held_out_part(const RowRule& rule, const FamilyOptions& family, const FitOptions& options) {
  return rule.held_out(Random(family.seed, RandomStream::split), options.lambda_holdout);
}

PartOf held_out_part(const Problem& problem) {
  return held_out_part(problem.rows.rule(), problem.family, problem.options);
}

void check_parts(const std::vector<Accumulator>& parts) {
  for (const Accumulator& part : parts)
    if (!(part.weight() > 0))
      throw Error(ErrorKind::data, "there are too few rows (of positive weight) to hold some out for choosing lambda",
                  "‹lambda›", "give a lambda, or more rows");
}

std::string rows_in_time_note(Index used, Index rows) {
  return fmt::format("time limit: the model is fitted on {} of {} rows ({:.0f} %), drawn at random; raise ‹max_time›",
                     used, rows, 100 * static_cast<double>(used) / static_cast<double>(rows));
}

PartSums accumulate_in_time(const Problem& problem, Index parts, const PartOf& part_of) {
  const Index rows = problem.rows.rows();
  const Random draws(problem.family.seed, RandomStream::sampling_rows);
  Run run = problem.run;
  run.max_seconds = 0;
  PartSums sums;
  Index used = 0;
  double done = 0;  // share of the rows
  for (double next = std::min(1.0, static_cast<double>(kBlockRows) / static_cast<double>(rows)); next > 0;) {
    const Stopwatch clock;
    std::vector<bool> keep;
    std::vector<Index> kept;
    for (Index i = 0; i < rows; ++i) {
      const double draw = draws.uniform(static_cast<std::uint64_t>(i));
      keep.push_back(done <= draw && (draw < done + next || done + next >= 1));
      if (keep.back()) kept.push_back(i);
    }
    const auto some = filter_rows(problem.rows, std::move(keep));
    merge_parts(accumulate_parts({problem.map, *some, problem.task, problem.options, problem.family, run}, parts,
                                 [&](Index row) { return part_of(kept[static_cast<std::size_t>(row)]); }),
                sums);
    used += some->rows();
    done += next;
    const double per_row = clock.seconds() / static_cast<double>(std::max<Index>(1, some->rows()));
    const double for_solving = kSolveRows * static_cast<double>(problem.map.features()) * per_row;
    const double affordable = (problem.run.seconds_left() - for_solving) / per_row / static_cast<double>(rows);
    next = affordable > 1.2 * (1 - done) ? 1 - done : affordable / 2;
    if (next * static_cast<double>(rows) < 1 || (done + next < 1 && next * static_cast<double>(rows) < kLeastRows))
      break;
  }
  sums.stopped_at = used < rows ? used : 0;
  return sums;
}

HeldOutSums accumulate_held_out(const Problem& problem, bool hold_out, FitReport& report) {
  const Stopwatch clock;
  const Index parts = hold_out ? 2 : 1;
  const PartOf part_of = hold_out ? held_out_part(problem) : PartOf([](Index) { return 0; });
  PartSums sums = problem.run.max_seconds > 0 ? accumulate_in_time(problem, parts, part_of)
                                              : accumulate_parts(problem, parts, part_of);
  report.seconds.emplace_back("accumulate", clock.seconds());
  if (sums.stopped_at > 0) {
    report.set("stopped", "time budget");
    report.warnings.push_back(rows_in_time_note(sums.stopped_at, problem.rows.rows()));
  }
  check_parts(sums.parts);
  HeldOutSums result{std::move(sums.parts.front()), std::nullopt, std::move(sums.shift)};
  if (hold_out) result.held_out = std::move(sums.parts.back());
  return result;
}

}  // namespace weft::detail
