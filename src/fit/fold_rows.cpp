#include "fit/fold_rows.hpp"

#include "core/stopwatch.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

/// Groups the rows of blocks by part, so that each part is a range of columns.
struct GroupedBlock {
  Matrix x, y;
  std::vector<double> weights;
  std::vector<Index> starts;  // parts + 1

  /// The grouped rows, in this object's memory; one part is the block as it stands.
  TrainingBlock group(const TrainingBlock& block, Index parts, const PartOf& part_of) {
    starts = {0, block.rows()};
    if (parts == 1) return block;
    std::vector<Index> part(static_cast<std::size_t>(block.rows()));
    starts.assign(static_cast<std::size_t>(parts + 1), 0);
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = part_of(block.first_row + static_cast<Index>(i));
      ++starts[static_cast<std::size_t>(part[i] + 1)];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<Index> next(starts.begin(), starts.end() - 1);
    std::vector<Index> to(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) to[i] = next[static_cast<std::size_t>(part[i])]++;
    scatter(block.x, to, x);
    scatter(block.y, to, y);
    weights.resize(block.weights == nullptr ? 0 : part.size());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[static_cast<std::size_t>(to[i])] = block.weights[i];
    return {x, y, weights.empty() ? nullptr : weights.data(), block.first_row};
  }

  static void scatter(View<const double> from, const std::vector<Index>& to, Matrix& out) {
    out.reshape(from.rows, from.cols);
    for (Index j = 0; j < from.rows; ++j)
      for (Index i = 0; i < from.cols; ++i) out(j, to[static_cast<std::size_t>(i)]) = from(j, i);
  }
};

/// Adds the rows starts[p] … starts[p + 1] of the block to the sums of part p.
template <class Real>
void add_parts(const Problem& problem, const TrainingBlock& block, const std::vector<Index>& starts,
               BasicMatrix<Real>& phi, std::vector<Accumulator>& sums) {
  phi.reshape(problem.map.features(), block.rows());
  problem.map.smoothings(block.x, phi.view(), problem.run);
  const View<const Real> features = phi.view();
  const int threads = problem.run.thread_count();
  for (std::size_t p = 0; p < sums.size(); ++p) {
    const Index first = starts[p];
    const Index count = starts[p + 1] - first;
    if (count > 0)
      sums[p].add(features.col_range(first, count), block.y.col_range(first, count),
                  block.weights == nullptr ? nullptr : block.weights + first, threads);
  }
}

}  // namespace

std::vector<Accumulator> accumulate_parts(const Problem& problem, Index parts, const PartOf& part_of,
                                          Index* stopped_at) {
  const Stopwatch clock;
  std::vector<Accumulator> sums(static_cast<std::size_t>(parts),
                                Accumulator(problem.map.features(), problem.rows.outputs()));
  GroupedBlock grouped;
  Matrix phi;
  BasicMatrix<float> phi_single;
  const bool single = problem.options.precision == "single";
  *stopped_at = 0;
  problem.rows.for_each([&](const TrainingBlock& block) {
    const TrainingBlock rows = grouped.group(block, parts, part_of);
    if (single)
      add_parts(problem, rows, grouped.starts, phi_single, sums);
    else
      add_parts(problem, rows, grouped.starts, phi, sums);
    const Index done = block.first_row + block.rows();
    problem.run.report("accumulate", static_cast<double>(done), static_cast<double>(problem.rows.rows()));
    if (problem.run.max_seconds > 0 && clock.seconds() > problem.run.max_seconds && done < problem.rows.rows()) {
      *stopped_at = done;
      return false;
    }
    return true;
  });
  return sums;
}

}  // namespace weft
