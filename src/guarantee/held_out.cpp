#include "guarantee/held_out.hpp"

#include "core/at.hpp"
#include "core/special_functions.hpp"
#include "data/rows/block_source.hpp"
#include "model/conformity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// Range and loss of the best constant, of the targets alone.
struct TargetFacts {
  std::vector<double> low, high;
  double constant_loss = 0;  ///< classes: the error; numbers: the variance, mean over targets
};

TargetFacts target_facts(const Model& model, const Data& data, const Run& run) {
  const bool classes = model.target().task != Task::regression;
  std::vector<std::vector<double>> targets;
  const auto reader = model.parts().encoder.open(data, true, run);
  for (Block block; reader->next(block, kBlockRows);) {
    targets.resize(at(block.y.rows()));
    for (Index k = 0; k < block.y.rows(); ++k)
      targets[at(k)].insert(targets[at(k)].end(), block.y.row(k), block.y.row(k) + block.y.cols());
  }
  if (targets.empty() || targets.front().empty())
    throw Error(ErrorKind::data, "there are no rows to certify on", data.name(), "give the training rows");
  TargetFacts facts;
  for (const std::vector<double>& values : targets) {
    const auto n = static_cast<double>(values.size());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    facts.low.push_back(*low);
    facts.high.push_back(*high);
    if (classes) {
      std::vector<double> counts(model.target().classes.size());
      for (const double value : values) counts[static_cast<std::size_t>(value)] += 1;
      facts.constant_loss = 1 - *std::max_element(counts.begin(), counts.end()) / n;
      continue;
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    for (const double value : values)
      facts.constant_loss += (value - mean) * (value - mean) / n / static_cast<double>(targets.size());
  }
  return facts;
}

/// Of rows that are given: predictions and targets are clipped to the range of the training targets.
MeasuredLoss measured_loss(const Model& model, const Data& rows, const TargetFacts& facts, const Run& run) {
  const bool classes = model.target().task != Task::regression;
  std::vector<double> losses;
  model.for_each_prediction(
      rows, {.with_targets = true},
      [&](const PredictionBlock& block) {
        for (Index i = 0; i < block.rows(); ++i) {
          double loss = classes && block.values(i, 0) != block.targets(i, 0) ? 1 : 0;
          for (Index k = 0; !classes && k < block.values.cols(); ++k) {
            const auto inside = [&](double value) { return std::clamp(value, facts.low[at(k)], facts.high[at(k)]); };
            const double error = inside(block.values(i, k)) - inside(block.targets(i, k));
            loss += error * error / static_cast<double>(block.values.cols());
          }
          losses.push_back(loss);
        }
      },
      run);
  if (losses.empty())
    throw Error(ErrorKind::data, "there are no rows to measure the loss on", rows.name(), "give at least one row");
  double largest = classes ? 1 : 0;
  for (std::size_t k = 0; !classes && k < facts.low.size(); ++k)
    largest += std::pow(facts.high[k] - facts.low[k], 2) / static_cast<double>(facts.low.size());
  return measured(losses, largest);
}

std::string assumptions(const Model& model, ScoredBy by) {
  std::string text = "the rows are independent draws from the distribution of new rows";
  if (model.target().task == Task::regression)
    text += "; predictions and targets are clipped to the range of the training targets";
  if (by == ScoredBy::given_rows) return text + "; the model was neither fitted to these rows nor chosen by them";
  return text + fmt::format(
                    "; the model predicts no worse than the fits that did not see the row, by which the loss was "
                    "measured ({}), and the choices that its fit made by the same rows do not matter",
                    name_of(by));
}

}  // namespace

double clopper_pearson(Index errors, Index rows, double delta) {
  if (errors >= rows) return 1;
  return beta_quantile(static_cast<double>(errors + 1), static_cast<double>(rows - errors), 1 - delta);
}

double empirical_bernstein(const MeasuredLoss& loss, double delta) {
  if (loss.rows < 2) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(loss.rows);
  const double log_inverse = std::log(2 / delta);
  return loss.mean + std::sqrt(2 * loss.variance * log_inverse / n) + 7 * loss.largest * log_inverse / (3 * (n - 1));
}

std::optional<HeldOutBound> held_out_bound(const Model& model, const Data& train, const Data* held_out, double delta,
                                           const Run& run) {
  const Conformity& stored = model.parts().conformity;
  if (held_out == nullptr && stored.empty()) return std::nullopt;
  const TargetFacts facts = target_facts(model, train, run);
  const MeasuredLoss loss = held_out != nullptr ? measured_loss(model, *held_out, facts, run) : stored.loss;
  const bool classes = model.target().task != Task::regression;
  HeldOutBound result{.name = classes ? "Clopper–Pearson" : "empirical Bernstein",
                      .loss = classes ? "error" : "squared error",
                      .by = held_out != nullptr ? ScoredBy::given_rows : stored.by,
                      .rows = loss.rows,
                      .measured = loss.mean,
                      .constant = facts.constant_loss};
  const auto errors = static_cast<Index>(std::llround(loss.mean * static_cast<double>(loss.rows)));
  result.bound = classes ? clopper_pearson(errors, loss.rows, delta) : empirical_bernstein(loss, delta);
  result.vacuous = !(result.bound < result.constant);
  result.assumes = assumptions(model, result.by);
  return result;
}

double plain_loss(const Model& model, const Data& rows, const Run& run) {
  return measured_loss(model, rows, target_facts(model, rows, run), run).mean;
}

}  // namespace weft::detail
