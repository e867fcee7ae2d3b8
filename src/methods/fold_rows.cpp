#include "methods/fold_rows.hpp"

#include "compute/gpu.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "data/encode/read_ahead.hpp"
#include "data/rows/piece_sums.hpp"
#include "data/rows/row_filter.hpp"
#include "distributed/packing.hpp"
#include "methods/method.hpp"
#include "methods/part_buffers.hpp"
#include "methods/partitioned_block.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

std::vector<double> no_shift(const BlockSource& source) {
  return std::vector<double>(static_cast<std::size_t>(source.outputs()), 0.0);
}

/// Adds blocks to the sums of every map and part.
class PartAccumulation {
 public:
  PartAccumulation(MapSet& maps, const BlockSource& source, const FitOptions& options, Index parts,
                   const PartOf& part_of, const Run& run)
      : device_(maps.device_for_sums(source.rows(), run)),
        maps_(maps),
        source_(source),
        parts_(parts),
        part_of_(part_of),
        run_(run),
        single_(own_value<Precision>(options.method, "precision") == Precision::float32) {}

  /// By map.
  std::vector<PartSums> empty(const std::vector<double>& shift) const {
    std::vector<PartSums> sums;
    for (std::size_t k = 0; k < maps_.size(); ++k) {
      PartSums& of_map = sums.emplace_back(PartSums{{}, shift});
      of_map.parts.reserve(static_cast<std::size_t>(parts_));
      for (Index p = 0; p < parts_; ++p) of_map.parts.emplace_back(maps_.count(k), source_.outputs(), shift);
    }
    return sums;
  }

  void add(const TrainingBlock& block, std::vector<PartSums>& sums) {
    if (elsewhere())
      add_to_buffers(block, sums);
    else
      add_here(block, sums);
    run_.report("accumulate", static_cast<double>(block.first_row + block.rows()),
                static_cast<double>(source_.share() != nullptr ? source_.share()->end() : source_.rows()));
  }

  /// After the last block of a piece: adds the rows that wait for others, and brings the sums from where they are.
  void finish(std::vector<PartSums>& sums) {
    if (buffers_) buffers_->finish(adding_to(sums));
    for (PartSums& of_map : sums)
      for (Accumulator& part : of_map.parts) part.collect();
  }

  /// Whether the sums are in the memory of a device until finish().
  bool elsewhere() const { return device_.has_own_memory(); }

 private:
  void add_here(const TrainingBlock& block, std::vector<PartSums>& sums) {
    const TrainingBlock rows = partitioned_.partition(block, parts_, part_of_);
    if (!single_) maps_.start(rows.x, run_);
    for (std::size_t k = 0; k < maps_.size(); ++k)
      if (single_)
        add_parts(maps_.features_single(k, rows.x, run_), rows, partitioned_.starts(), sums[k].parts,
                  run_.thread_count());
      else
        add_parts(maps_.features(k, rows.x, run_), rows, partitioned_.starts(), sums[k].parts, run_.thread_count());
  }

  void add_to_buffers(const TrainingBlock& block, std::vector<PartSums>& sums) {
    if (!buffers_)
      buffers_.emplace(device_, parts_, block.x.rows, block.y.rows, rows_together(block.x.rows), sending_threads(run_));
    buffers_->add(block, part_of_, adding_to(sums));
  }

  /// As many as make a GPU's sums fast, within 64 MiB of inputs and 1 GiB of features, or a sixteenth of what is free
  /// there; whole blocks.
  Index rows_together(Index inputs) const {
    constexpr Index kMostRows = 16384, kMostFeatures = Index{1} << 27, kMostInputs = Index{1} << 23;
    const double free = device_.free_memory() / (16 * sizeof(double));
    const Index most = free < static_cast<double>(kMostFeatures) ? static_cast<Index>(free) : kMostFeatures;
    Index features = 1;
    for (std::size_t k = 0; k < maps_.size(); ++k) features = std::max(features, maps_.count(k));
    const Index rows = std::min({kMostRows, most / features, kMostInputs / std::max<Index>(1, inputs * parts_)});
    return std::max<Index>(1, rows / kBlockRows) * kBlockRows;
  }

  PartBuffers::HandOver adding_to(std::vector<PartSums>& sums) {
    return [this, &sums](Index part, const TrainingBlock& rows) { add_there(part, rows, sums); };
  }

  void add_there(Index part, const TrainingBlock& rows, std::vector<PartSums>& sums) {
    const auto add = [&](auto features, PartSums& of_map) {
      of_map.parts[static_cast<std::size_t>(part)].add_on(device_, features, rows.y, rows.weights, run_.thread_count());
    };
    for (std::size_t k = 0; k < maps_.size(); ++k)
      if (single_)
        add(maps_.features_single_on(device_, k, rows.x, run_), sums[k]);
      else
        add(maps_.features_on(device_, k, rows.x, run_), sums[k]);
  }

  const Device& device_;
  MapSet& maps_;
  const BlockSource& source_;
  Index parts_;
  const PartOf& part_of_;
  const Run& run_;
  bool single_;
  PartitionedBlock partitioned_;
  std::optional<PartBuffers> buffers_;
};

void merge_all(std::vector<PartSums>& sums, std::vector<PartSums>& next) {
  for (std::size_t k = 0; k < sums.size(); ++k)
    for (std::size_t p = 0; p < sums[k].parts.size(); ++p) sums[k].parts[p].merge(next[k].parts[p]);
}

void clear_all(std::vector<PartSums>& sums) {
  for (PartSums& of_map : sums)
    for (Accumulator& part : of_map.parts) part.clear();
}

std::string bytes_of(const std::vector<PartSums>& sums) {
  Packer packer;
  packer.add(static_cast<Index>(sums.size()));
  for (const PartSums& of_map : sums) {
    packer.add(of_map.shift).add(static_cast<Index>(of_map.parts.size()));
    for (const Accumulator& part : of_map.parts) packer.add(part.to_bytes());
  }
  return std::move(packer).bytes();
}

std::vector<PartSums> sums_from(const std::string& bytes) {
  Unpacker unpacker(bytes);
  std::vector<PartSums> sums(static_cast<std::size_t>(unpacker.number<Index>()));
  for (PartSums& of_map : sums) {
    of_map.shift = unpacker.numbers<double>();
    for (auto left = unpacker.number<Index>(); left > 0; --left)
      of_map.parts.push_back(Accumulator::from_bytes(unpacker.text()));
  }
  return sums;
}

/// Of the first block that the source delivers; none where it delivers none.
std::vector<double> own_first_means(const BlockSource& source) {
  std::vector<double> means;
  source.for_each([&](const TrainingBlock& block) {
    means = target_means(block);
    return false;
  });
  return means;
}

/// Of the first block. Rank 0 has it, unless it is one of a few selected rows.
std::vector<double> first_means(const BlockSource& source) {
  Communicator& processes = *source.share()->processes;
  for (int owner = 0; owner < processes.size(); ++owner) {
    std::string bytes;
    if (processes.rank() == owner) bytes = std::move(Packer().add(own_first_means(source))).bytes();
    processes.broadcast(bytes, owner);
    if (std::vector<double> means = Unpacker(bytes).numbers<double>(); !means.empty()) return means;
  }
  return no_shift(source);
}

/// In the pieces of `share`: the same bits for any number of processes, on all of them.
std::vector<PartSums> accumulate(MapSet& maps, const BlockSource& source, RowShare share, const FitOptions& options,
                                 Index parts, const PartOf& part_of, const Run& run) {
  std::optional<std::vector<double>> shift;
  if (!options.intercept) shift = no_shift(source);
  if (!shift && source.share() != nullptr) shift = first_means(source);
  PartAccumulation pass(maps, source, options, parts, part_of, run);
  if (pass.elsewhere()) share = share_or_whole(source);
  PieceSums<std::vector<PartSums>> sums(std::move(share), [&] { return pass.empty(shift.value_or(no_shift(source))); },
                                        {merge_all, bytes_of, sums_from, clear_all});
  std::optional<Index> origin;  // pieces are those of the source, whatever the number of its first row
  if (source.share() != nullptr) origin = 0;
  Index stopped_at = 0;
  std::optional<Index> piece;  // of shared rows whose sums are on a device: they are merged here, piece by piece
  std::vector<PartSums>* of_piece = nullptr;
  source.for_each([&](const TrainingBlock& block) {
    if (!shift) shift = target_means(block);
    if (!origin) origin = block.first_row;
    if (pass.elsewhere() && source.share() != nullptr) {
      const Index here = source.share()->piece_of(block.first_row);
      if (piece && *piece != here) pass.finish(*of_piece);
      piece = here;
    }
    of_piece = &sums.of(block.first_row - *origin);
    pass.add(block, *of_piece);
    const Index done = block.first_row + block.rows();
    if (source.share() != nullptr || !run.out_of_time() || done == source.rows()) return true;
    stopped_at = done;
    return false;
  });
  if (piece) pass.finish(*of_piece);
  std::vector<PartSums> all = sums.all();
  if (!piece) pass.finish(all);
  for (PartSums& of_map : all) of_map.stopped_at = stopped_at;
  return all;
}

/// Fitted and held out: a fit has memory for three of each (sums_matrices); for folds it has not.
constexpr Index kFittedParts = 2;

/// Solving for a few λs takes as long as adding this many rows per feature; for all of them, up to 20.
constexpr double kSolveRows = 5;
constexpr double kLeastRows = 500;  // of a pass over all rows

}  // namespace

void merge_parts(PartSums more, PartSums& sums) {
  if (sums.parts.empty()) {
    sums = std::move(more);
    return;
  }
  for (std::size_t p = 0; p < sums.parts.size(); ++p) sums.parts[p].merge(more.parts[p], true);
}

std::vector<PartSums> accumulate_parts(MapSet& maps, const BlockSource& source, const FitOptions& options, Index parts,
                                       const PartOf& part_of, const Run& run) {
  return accumulate(maps, source, share_or_whole(source), options, parts, part_of, run);
}

PartSums accumulate_parts(const Problem& problem, Index parts, const PartOf& part_of) {
  MapSet maps(problem.map);
  RowShare share = parts > kFittedParts ? share_or_whole(problem.rows) : share_of(problem.rows);
  return std::move(
      accumulate(maps, problem.rows, std::move(share), problem.options, parts, part_of, problem.run).front());
}

HeldOutSums HeldOutSums::of(PartSums sums) {
  HeldOutSums result{std::move(sums.parts.front()), std::nullopt, std::move(sums.shift)};
  if (sums.parts.size() > 1) result.held_out = std::move(sums.parts.back());
  return result;
}

Accumulator HeldOutSums::all() && {
  if (held_out) fitted.merge(*held_out);
  return std::move(fitted);
}

PartOf held_out_part(const RowRule& rule, const FamilyOptions& family, const FitOptions& options) {
  return rule.held_out(Random(family.seed, RandomStream::split), options.lambda_holdout);
}

HeldOutValues held_out_values(const RuleValues& values, const FamilyOptions& family, const FitOptions& options) {
  return values.held_out(Random(family.seed, RandomStream::split), options.lambda_holdout);
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
  problem.rows.in_memory();  // reading is not to be counted as adding
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
  return HeldOutSums::of(std::move(sums));
}

}  // namespace weft::detail
