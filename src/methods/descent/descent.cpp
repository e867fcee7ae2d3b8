#include "methods/descent/descent.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "methods/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kChunkNumbers = Index{1} << 22;  // 32 MiB of features at once
constexpr Index kChunkFeatures = 256;
constexpr Index kChunkBatches = 32;
constexpr Index kStripRows = 1024;
constexpr double kCheckpointSeconds = 30;

double megabytes(double numbers) {
  return numbers * sizeof(double) / (1024.0 * 1024.0);
}

std::vector<double> mean_one(const TrainingBlock& rows) {
  if (rows.weights == nullptr) return {};
  std::vector<double> weights(rows.weights, rows.weights + rows.rows());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(total > 0))
    throw Error(ErrorKind::data, "all sample weights are 0", {}, "give at least one row a positive weight");
  for (double& weight : weights) weight *= static_cast<double>(rows.rows()) / total;
  return weights;
}

std::vector<double> first_intercepts(const Problem& problem, const TrainingBlock& rows, const Loss& loss) {
  std::vector<double> result(at(problem.rows.outputs()), 0.0);
  if (problem.options.intercept)
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k] = loss.best_constant(rows.rows(), rows.y.row(static_cast<Index>(k)), rows.weights);
  return result;
}

Index step_count(const Problem& problem, const DescentPlan& plan) {
  const Index steps = (problem.map.features() + plan.features_per_step - 1) / plan.features_per_step;
  return plan.iterations > 0 ? std::min(steps, plan.iterations) : steps;
}

bool keeps_all_rows(const DescentPlan& plan, Index rows, Index batch, Index steps, bool full_batch) {
  if (plan.predictions != Predictions::automatic || full_batch)
    return full_batch || plan.predictions == Predictions::all_rows;
  return 2 * rows < batch * steps;
}

// A chunk is a whole number of steps. It depends on the problem alone: threads, time and interruptions change nothing.
Index features_per_chunk(const Problem& problem, const DescentPlan& plan, bool all_rows, Index rows, Index batch) {
  const Index c = plan.features_per_step;
  const Index inputs = std::max<Index>(1, problem.map.inputs().columns());
  const Index steps = all_rows ? std::min(kChunkFeatures / c, kChunkNumbers / std::max<Index>(1, rows * c))
                               : std::min(kChunkBatches, kChunkNumbers / (batch * std::max(inputs, kChunkBatches * c)));
  return std::max<Index>(1, steps) * c;
}

bool batch_is_all(const DescentPlan& plan, Index rows) {
  return plan.all_rows_when_small && plan.batch >= rows;
}

}  // namespace

Descent::Descent(const Problem& problem, const Loss& loss, DescentPlan plan)
    : problem_(problem),
      loss_(loss),
      plan_(std::move(plan)),
      rows_(*problem.rows.in_memory()),
      weights_(mean_one(rows_)),
      batch_(batch_is_all(plan_, rows_.rows()) ? rows_.rows() : plan_.batch),
      full_batch_(batch_is_all(plan_, rows_.rows())),
      all_rows_(keeps_all_rows(plan_, rows_.rows(), batch_, step_count(problem, plan_), full_batch_)),
      stream_(problem.map, features_per_chunk(problem, plan_, all_rows_, rows_.rows(), batch_),
              plan_.square_integrable),
      steps_(step_count(problem, plan_)),
      random_(problem.family.seed, detail::RandomStream::fit),
      iterate_(problem.map.features(), first_intercepts(problem, rows_, loss)),
      amplitude_(std::exp(stream_.log_scale())) {
  check_memory();
  if (all_rows_) keep_all_rows();
  if (!plan_.checkpoint.empty()) digest_ = checkpoint_digest(problem);
}

void Descent::check_memory() const {
  const double pool =
      static_cast<double>(all_rows_ ? rows_.rows() : batch_ * stream_.chunk_size() / plan_.features_per_step);
  const double chunk = static_cast<double>(stream_.chunk_size());
  const double outputs = static_cast<double>(problem_.rows.outputs());
  const double features = static_cast<double>(stream_.features());
  const double inputs = all_rows_ ? 0.0 : static_cast<double>(problem_.map.inputs().columns());
  MemoryPlan plan(problem_.run);
  plan.hold("features and predictions of rows", pool * (chunk + outputs + inputs));
  plan.hold("coefficients and Gram rows", features * (chunk + 3 * outputs));
  plan.check(fmt::format("the steps of {}", plan_.name), "‹max_memory›",
             "allow that much, or use fewer features or a smaller batch");
}

void Descent::keep_all_rows() {
  pool_x_ = rows_.x;
  pool_y_ = rows_.y;
  pool_weights_ = weights_.empty() ? nullptr : weights_.data();
  iterate_.predictions() = Matrix(problem_.rows.outputs(), rows_.rows());
}

void Descent::draw_batch(Index step, Index steps_before) {
  batch_rows_.resize(at(batch_));
  for (Index i = 0; i < batch_; ++i) {
    const Index pooled = steps_before * batch_ + i;
    batch_rows_[at(i)] =
        !all_rows_    ? pooled
        : full_batch_ ? i
                      : random_.below(rows_.rows(), static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(i));
  }
}

void Descent::gather_batches(Index first_step, Index steps) {
  const Index rows = steps * batch_;
  gathered_x_.reshape(rows_.x.rows, rows);
  gathered_y_.reshape(rows_.y.rows, rows);
  gathered_weights_.assign(at(rows), 1.0);
  std::vector<Index> drawn(at(rows));
  for (Index r = 0; r < rows; ++r)
    drawn[at(r)] = random_.below(rows_.rows(), static_cast<std::uint64_t>(first_step + r / batch_),
                                 static_cast<std::uint32_t>(r % batch_));
  parallel_for(rows_.x.rows, problem_.run.thread_count(), [&](Index j) {
    for (Index r = 0; r < rows; ++r) gathered_x_(j, r) = rows_.x(j, drawn[at(r)]);
  });
  for (Index k = 0; k < rows_.y.rows; ++k)
    for (Index r = 0; r < rows; ++r) gathered_y_(k, r) = rows_.y(k, drawn[at(r)]);
  if (!weights_.empty())
    for (Index r = 0; r < rows; ++r) gathered_weights_[at(r)] = weights_[at(drawn[at(r)])];
  pool_x_ = gathered_x_;
  pool_y_ = gathered_y_;
  pool_weights_ = gathered_weights_.data();
}

// f from all earlier chunks at the pool's rows.
void Descent::predict_pool() {
  Matrix& f = iterate_.predictions();
  f = Matrix(rows_.y.rows, pool_x_.cols);
  for (const FeatureChunk& chunk : stream_.chunks()) {
    if (&chunk == chunk_) break;
    smoothings_.reshape(chunk.count, pool_x_.cols);
    stream_.chunk_map(chunk).smoothings(pool_x_, smoothings_.view(), problem_.run);
    Matrix b(f.rows(), chunk.count);
    for (Index v = chunk.first; v < chunk.first + chunk.count; ++v)
      for (Index k = 0; k < f.rows(); ++k)
        b(k, stream_.row_in_chunk(chunk, v)) = iterate_.coefficients()(stream_.column(v), k);
    parallel_for((f.cols() + kStripRows - 1) / kStripRows, problem_.run.thread_count(), [&](Index p) {
      const Index begin = p * kStripRows;
      const Index cols = std::min(kStripRows, f.cols() - begin);
      cpu().multiply(1, b, smoothings_.view().col_range(begin, cols), 1, f.view().col_range(begin, cols));
    });
  }
}

Index Descent::steps_of(const FeatureChunk& chunk) const {
  const Index c = plan_.features_per_step;
  return std::min((chunk.count + c - 1) / c, steps_ - chunk.first / c);
}

void Descent::prepare(const FeatureChunk& chunk) {
  chunk_ = &chunk;
  if (!all_rows_) {
    gather_batches(chunk.first / plan_.features_per_step + 1, steps_of(chunk));
    predict_pool();
  }
  smoothings_.reshape(chunk.count, pool_x_.cols);
  stream_.chunk_map(chunk).smoothings(pool_x_, smoothings_.view(), problem_.run);
  gram_ = stream_.gram_rows(chunk, problem_.run);
}

const double* Descent::smoothing(Index position) const {
  return smoothings_.row(stream_.row_in_chunk(*chunk_, position));
}

void Descent::add(Index output, Index position, double b) {
  iterate_.add(output, stream_, gram_, position, b, smoothing(position), problem_.run);
}

bool Descent::run(const Rule& rule) {
  const Run& run = problem_.run;
  done_ = plan_.resume ? resume() : 0;
  Stopwatch unsaved;
  stopped_ = steps_ * plan_.features_per_step < stream_.features() ? "iterations" : "all features used";
  for (const FeatureChunk& chunk : stream_.chunks()) {
    if (chunk.first < done_ * plan_.features_per_step) continue;
    if (done_ >= steps_) break;
    if (run.cancel != nullptr && run.cancel->load()) save(done_);
    run.check_cancelled();
    prepare(chunk);
    for (Index s = 0; s < steps_of(chunk); ++s) {
      const Index first = chunk.first + s * plan_.features_per_step;
      draw_batch(++done_, s);
      rule(*this, {done_, first, std::min(plan_.features_per_step, stream_.features() - first), batch_rows_});
      iterate_.count();
    }
    iterate_.fold();
    if (!iterate_.finite()) return false;
    run.report(plan_.name, static_cast<double>(done_), static_cast<double>(steps_));
    const bool late = done_ < steps_ && run.out_of_time();
    if (late || unsaved.seconds() > kCheckpointSeconds) {
      save(done_);
      unsaved = Stopwatch();
    }
    if (late) {
      stopped_ = "time budget";
      break;
    }
  }
  return true;
}

void Descent::save(Index step) const {
  if (plan_.checkpoint.empty()) return;
  Checkpoint{plan_.name, digest_, step, iterate_.save(all_rows_)}.save(plan_.checkpoint);
}

Index Descent::resume() {
  const Checkpoint state = Checkpoint::load(plan_.checkpoint, plan_.name, digest_);
  const std::vector<std::vector<double>> start = iterate_.save(all_rows_);
  const bool same_shape = std::equal(start.begin(), start.end(), state.arrays.begin(), state.arrays.end(),
                                     [](const auto& a, const auto& b) { return a.size() == b.size(); });
  require_state(same_shape && std::all_of(state.arrays.begin(), state.arrays.end(), all_finite), plan_.checkpoint);
  iterate_.load(state.arrays);
  require_state(state.step <= steps_ && iterate_.counted() == static_cast<double>(state.step) + 1, plan_.checkpoint);
  return state.step;
}

std::optional<FitResult> Descent::result(bool average) const {
  FitResult result;
  result.coefficients = average ? iterate_.average() : iterate_.coefficients();
  for (Index i = 0; i < result.coefficients.rows() * result.coefficients.cols(); ++i)
    result.coefficients.data()[i] *= amplitude_;
  const double* const numbers = result.coefficients.data();
  const Index count = result.coefficients.rows() * result.coefficients.cols();
  if (!std::all_of(numbers, numbers + count, [](double a) { return std::isfinite(a); })) return std::nullopt;
  result.intercepts = average ? iterate_.average_intercepts() : iterate_.intercepts();
  result.probabilistic = loss_.kind() == Loss::Kind::logistic && problem_.task == Task::binary;
  FitReport& report = result.report;
  report.numbers = {{"steps", static_cast<double>(done_)},
                    {"batch", static_cast<double>(batch_)},
                    {"last_norm", std::exp(stream_.log_norm_scale()) * iterate_.norm()},
                    {"largest_norm", std::exp(stream_.log_norm_scale()) * iterate_.largest_norm()}};
  report.words = {{"loss", loss_.name()},
                  {"iterate", average ? fmt::format("average of 0 to {}", done_) : "last"},
                  {"predictions", all_rows_ ? "kept for all rows" : "made anew for every batch"},
                  {"stopped", stopped_}};
  report.seconds = {{plan_.name, clock_.seconds()}};
  if (stopped_ == "time budget")
    report.warnings.push_back(fmt::format("time limit reached after {} of {} steps; raise ‹max_time›", done_, steps_));
  return result;
}

bool has_kernel(const FeatureMap& map) {
  return std::any_of(map.parts().begin(), map.parts().end(),
                     [](const FeaturePart& part) { return !part.family.kernel.none(); });
}

bool square_integrable(const Problem& problem, Regularizer regularizer, bool may_be) {
  const Regularizer own = has_kernel(problem.map) ? Regularizer::rkhs : Regularizer::ridge;
  if (regularizer == Regularizer::automatic || regularizer == own) return false;
  const auto weighted = [](const FeaturePart& part) { return !part.family.kernel.none(); };
  const std::vector<FeaturePart>& parts = problem.map.parts();
  if (regularizer == Regularizer::l2p && may_be && std::all_of(parts.begin(), parts.end(), weighted)) return true;
  throw Error(ErrorKind::option,
              fmt::format("‹fit› {} on these features has the regularizer {}, not {}",
                          method_name(problem.options.method), name_of(own), name_of(regularizer)),
              "‹regularizer›",
              regularizer == Regularizer::l2p && own == Regularizer::rkhs && !may_be
                  ? "leave it out, or use ‹fit› optimal-step: a single centre gives no gradient in L2(p)"
                  : "leave it out, or use ‹fit› least-squares");
}

void check_rows(const Problem& problem, const std::string& fit) {
  if (problem.rows.in_memory() != nullptr) return;
  const double numbers = static_cast<double>(problem.rows.rows()) *
                         static_cast<double>(problem.map.inputs().columns() + problem.rows.outputs() + 1);
  throw Error(ErrorKind::memory,
              fmt::format("‹fit› {} draws rows at random and needs all of them in memory: {:.0f} MB", fit,
                          std::ceil(megabytes(numbers))),
              "‹max_memory›", "allow that much, train on fewer rows, or use ‹fit› least-squares, which streams");
}

void throw_diverged(const std::string& fit, double lambda, const std::string& hint) {
  throw Error(ErrorKind::option, fmt::format("the iterates of {} overflow with lambda = {:g}", fit, lambda), "‹lambda›",
              hint);
}

}  // namespace weft::detail
