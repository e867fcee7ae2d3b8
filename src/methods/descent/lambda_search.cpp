#include "methods/descent/lambda_search.hpp"

#include "core/at.hpp"
#include "core/random.hpp"
#include "data/rows/row_filter.hpp"
#include "linalg/linear_scores.hpp"
#include "methods/descent/feature_stream.hpp"
#include "methods/fold_rows.hpp"
#include "methods/method.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kRows = 2500;
constexpr Index kFeatures = 500;
constexpr Index kProbe = 256;
constexpr int kGrid = 15;

/// log of the mean of φ(w,x)Φ_w(x).
double log_kernel_scale(const FeatureStream& stream, const TrainingBlock& rows, const Run& run) {
  const Index count = std::min(kProbe, rows.rows());
  std::vector<Index> all(at(count));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<double> phi(at(count));
  const FeatureChunk& chunk = stream.chunks().front();
  Matrix smooth(chunk.count, count);
  stream.chunk_map(chunk).smoothings(rows.x.col_range(0, count), smooth.view(), run);
  double sum = 0;
  for (Index v = 0; v < chunk.count; ++v) {
    stream.activation(v, rows.x, all.data(), count, phi.data());
    const double* s = smooth.row(stream.row_in_chunk(chunk, v));
    for (Index i = 0; i < count; ++i) sum += stream.relative_amplitude(v) * std::abs(phi[at(i)] * s[i]);
  }
  const double mean = sum / static_cast<double>(chunk.count * count);
  return stream.log_scale() + (mean > 0 ? std::log(mean) : 0.0);
}

double mean_loss(const FeatureMap& map, const FitResult& fit, const TrainingBlock& rows, const Loss& loss,
                 const Run& run) {
  Matrix smooth(map.features(), rows.rows());
  map.smoothings(rows.x, smooth.view(), run);
  Matrix scores(rows.y.rows, rows.rows());
  linear_scores(fit.coefficients, fit.intercepts, smooth, scores, run.thread_count());
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < scores.rows(); ++k)
    for (Index i = 0; i < scores.cols(); ++i) {
      const double weight = rows.weights == nullptr ? 1.0 : rows.weights[i];
      sum += weight * loss.value(scores(k, i), rows.y(k, i));
      total += weight;
    }
  return sum / total;
}

/// From ten times the scale of the kernel down, two values per decade.
std::vector<double> lambda_grid(const FeatureStream& stream, const TrainingBlock& rows, const Run& run) {
  const double largest = std::log(10.0) + log_kernel_scale(stream, rows, run);
  std::vector<double> grid;
  for (int k = 0; k < kGrid; ++k) grid.push_back(std::exp(largest - k * std::log(10.0) / 2));
  return grid;
}

struct TrialRows {
  std::unique_ptr<BlockSource> trained, tested;
};

/// At most kRows of them, in the order of the draws, held out by their rule.
TrialRows trial_rows(const Problem& problem) {
  const TrainingBlock& all = *problem.rows.in_memory();
  const std::vector<Index> order = Random(problem.family.seed, detail::RandomStream::split).permutation(all.rows());
  const Index count = std::min(kRows, all.rows());
  const auto held = static_cast<Index>(std::ceil(problem.options.lambda_holdout * static_cast<double>(count)));
  if (held >= count)
    throw Error(ErrorKind::data, "there are too few rows to choose lambda on", "‹lambda›", "give it, such as 0.01");
  const PartOf part = problem.rows.rule().none() ? PartOf() : held_out_part(problem);
  std::vector<Index> tested, trained;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool is_tested = part ? part(order[k]) == 1 : k < at(held);
    std::vector<Index>& rows = is_tested ? tested : trained;
    if (rows.size() < at(is_tested ? held : count - held)) rows.push_back(order[k]);
  }
  return {sample_rows(all, trained), sample_rows(all, tested)};
}

}  // namespace

LambdaChoice choose_lambda(const Problem& problem, const Loss& loss, const TrialFit& fit, double limit) {
  const TrialRows rows = trial_rows(problem);
  const FeatureStream stream(problem.map, std::min(kFeatures, problem.map.features()));
  const FeatureMap map = stream.chunk_map(stream.chunks().front());

  FitOptions options = problem.options;
  set_own_value(options.method, "checkpoint", std::string());
  set_own_value(options.method, "resume", false);
  Run run = problem.run;
  run.max_seconds = problem.run.max_seconds / 2;  // the other half is for the fit itself
  run.on_progress = {};
  const std::vector<double> grid = lambda_grid(stream, *rows.trained->in_memory(), run);
  bool found = false;
  int tried = 0;
  const LambdaPath path = follow_path(grid, {}, [&](double lambda) -> std::optional<double> {
    if (found && run.out_of_time()) return std::nullopt;
    problem.run.report("choosing lambda", ++tried, kGrid);
    options.lambda = lambda;
    std::optional<FitResult> trial;
    if (lambda > 0 && lambda < limit) trial = fit({map, *rows.trained, problem.task, options, problem.family, run});
    if (!trial) return std::numeric_limits<double>::infinity();
    const double trial_loss = mean_loss(map, *trial, *rows.tested->in_memory(), loss, run);
    found = found || std::isfinite(trial_loss);
    return trial_loss;
  });
  const std::optional<std::size_t> best = path.least();
  if (!best)
    throw Error(ErrorKind::option, "no lambda of the search gives a finite fit", "‹gamma›",
                "choose another gamma, or give ‹lambda› and ‹radius›");
  return {grid[*best], path.stopped ? fmt::format("held-out rows, cut short by the time budget after {} of {} values",
                                                  path.errors.size(), kGrid)
                                    : "held-out rows"};
}

}  // namespace weft::detail
