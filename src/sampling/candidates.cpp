#include "sampling/candidates.hpp"

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "features/draws.hpp"
#include "linalg/accumulator.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <cblas.h>
#include <fmt/format.h>

namespace weft {

namespace {

/// Calls consume(Φ, y, weights) for blocks of the rows that judge. Where only `wanted` of them do, they are selected in
/// one pass: each with the probability that completes the number (Knuth's algorithm S).
class JudgingRows {
 public:
  JudgingRows(const BlockSource& rows, const FamilyOptions& options)
      : rows_(rows),
        wanted_(options.sampling_rows > 0 ? std::min(options.sampling_rows, rows.rows()) : rows.rows()),
        random_(options.seed, Stream::sampling_rows) {}

  void for_each(const FeatureMap& map, const Run& run,
                const std::function<void(View<const double>, View<const double>, const double*)>& consume) {
    Index judged = 0;
    Matrix phi;
    rows_.for_each([&](const TrainingBlock& block) {
      run.check_cancelled();
      const TrainingBlock chosen = wanted_ == rows_.rows() ? block : select(block, wanted_ - judged);
      if (chosen.rows() > 0) {
        phi.reshape(map.features(), chosen.rows());
        map.smoothings(chosen.x, phi, run);
        consume(phi, chosen.y, chosen.weights);
      }
      judged += chosen.rows();
      run.report("sampling", static_cast<double>(block.first_row + block.rows()), static_cast<double>(rows_.rows()));
      // Out of time: the rows read so far judge.
      return judged < wanted_ && !(judged > 0 && run.out_of_time());
    });
  }

 private:
  TrainingBlock select(const TrainingBlock& block, Index missing) {
    std::vector<Index> kept;
    for (Index i = 0; i < block.rows(); ++i) {
      const Index row = block.first_row + i;
      const double left = static_cast<double>(rows_.rows() - row);
      if (random_.uniform(static_cast<std::uint64_t>(row)) * left >= static_cast<double>(missing)) continue;
      kept.push_back(i);
      --missing;
    }
    gather(block.x, kept, x_);
    gather(block.y, kept, y_);
    weights_.clear();
    if (block.weights != nullptr)
      for (const Index i : kept) weights_.push_back(block.weights[i]);
    return {x_, y_, weights_.empty() ? nullptr : weights_.data(), block.first_row};
  }

  static void gather(View<const double> from, const std::vector<Index>& columns, Matrix& to) {
    to.reshape(from.rows, static_cast<Index>(columns.size()));
    for (Index r = 0; r < from.rows; ++r)
      for (std::size_t k = 0; k < columns.size(); ++k) to(r, static_cast<Index>(k)) = from(r, columns[k]);
  }

  const BlockSource& rows_;
  Index wanted_;
  Random random_;
  Matrix x_, y_;
  std::vector<double> weights_;
};

void check_weight(double weight) {
  if (!(weight > 0))
    throw Error(ErrorKind::data, "every row that is to judge the candidates has weight 0", "--sampling-rows",
                "give more, or leave it out");
}

/// Sums of w·φ·y and w·φ per candidate, and of w, w·y, w·y² per output.
struct TargetSums {
  Matrix cross;  ///< candidates × (outputs + 1); the last column sums w·φ
  std::vector<double> y, yy;
  double weight = 0;
  std::vector<double> origin;  ///< y counts from its first value, so that a large mean does not drown the variance

  TargetSums(Index candidates, Index outputs)
      : cross(candidates, outputs + 1), y(static_cast<std::size_t>(outputs)), yy(y) {}

  void add(View<const double> phi, View<const double> targets, const double* weights) {
    const SerialBlas serial_blas;
    const Index outputs = targets.rows;
    for (Index o = static_cast<Index>(origin.size()); o < outputs; ++o) origin.push_back(targets(o, 0));
    Matrix weighted(outputs + 1, phi.cols);
    for (Index i = 0; i < phi.cols; ++i) {
      const double w = weights == nullptr ? 1 : weights[i];
      weight += w;
      weighted(outputs, i) = w;
      for (Index o = 0; o < outputs; ++o) {
        const auto k = static_cast<std::size_t>(o);
        const double value = targets(o, i) - origin[k];
        weighted(o, i) = w * value;
        y[k] += w * value;
        yy[k] += w * value * value;
      }
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(phi.rows), static_cast<int>(outputs + 1),
                static_cast<int>(phi.cols), 1, phi.data, static_cast<int>(phi.stride), weighted.data(),
                static_cast<int>(phi.cols), 1, cross.data(), static_cast<int>(outputs + 1));
  }
};

}  // namespace

FeatureMap draw_candidates(const FamilyOptions& options, const Inputs& inputs, double square_matrices, const Run& run,
                           const ActivationPtr& custom) {
  std::vector<Index> sizes = part_sizes(options, inputs, custom);
  const Index features = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  const Index wanted = options.candidates > 0 ? options.candidates : 10 * features;
  if (wanted < features)
    throw Error(ErrorKind::option, fmt::format("{} features cannot be chosen among {}", features, wanted),
                "--candidates", fmt::format("give at least {}; 0 means ten times as many", features));
  const auto count = static_cast<double>(wanted);
  const auto block = static_cast<double>(inputs.columns() + kBlockRows);
  const double needed = 8 * count * (square_matrices * count + block);
  if (needed > memory_limit(run))
    throw_too_large(fmt::format("{} candidates", wanted), needed, run, "--candidates",
                    "give fewer, or choose fewer --features");
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

Matrix candidate_gram(const FeatureMap& candidates, const BlockSource& rows, const FamilyOptions& options,
                      const Run& run) {
  Accumulator sums(candidates.features(), 0);
  JudgingRows(rows, options)
      .for_each(candidates, run, [&](View<const double> phi, View<const double>, const double* weights) {
        sums.add(phi, View<const double>(nullptr, 0, phi.cols), weights, run.thread_count());
      });
  check_weight(sums.weight());
  const double factor = 1 / (static_cast<double>(candidates.features()) * sums.weight());
  const View<const double> lower = sums.gram_lower();
  Matrix gram(lower.rows, lower.cols);
  for (Index s = 0; s < lower.rows; ++s)
    for (Index t = 0; t <= s; ++t) gram(s, t) = factor * lower(s, t);
  return gram;
}

std::vector<double> candidate_alignments(const FeatureMap& candidates, const BlockSource& rows,
                                         const FamilyOptions& options, const Run& run) {
  TargetSums sums(candidates.features(), rows.outputs());
  JudgingRows(rows, options)
      .for_each(candidates, run, [&](View<const double> phi, View<const double> y, const double* weights) {
        sums.add(phi, y, weights);
      });
  check_weight(sums.weight);
  std::vector<double> squares(static_cast<std::size_t>(candidates.features()));
  for (Index o = 0; o < rows.outputs(); ++o) {
    const double mean = sums.y[static_cast<std::size_t>(o)] / sums.weight;
    const double variance = sums.yy[static_cast<std::size_t>(o)] / sums.weight - mean * mean;
    if (!(variance > 0)) continue;  // a constant output has nothing to agree with
    for (Index t = 0; t < candidates.features(); ++t) {
      const double sum = (sums.cross(t, o) - mean * sums.cross(t, rows.outputs())) / sums.weight;
      squares[static_cast<std::size_t>(t)] += sum * sum / variance;
    }
  }
  return squares;
}

}  // namespace weft
