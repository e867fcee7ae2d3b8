#include "guarantee/softmax.hpp"

#include "guarantee/applicability.hpp"
#include "guarantee/bounds.hpp"
#include "guarantee/sample.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr const char* kName = "Maurer 2016, softmax";

/// The same probabilities with coefficients and intercepts that add up to 0 over the classes: of all such models the
/// one of least norm.
Model centred(const Model& model) {
  ModelParts parts = model.parts();
  const Index classes = parts.coefficients.cols();
  for (Index t = 0; t < parts.coefficients.rows(); ++t) {
    double* const row = parts.coefficients.row(t);
    const double mean = std::accumulate(row, row + classes, 0.0) / static_cast<double>(classes);
    for (Index k = 0; k < classes; ++k) row[k] -= mean;
  }
  const double mean =
      std::accumulate(parts.intercepts.begin(), parts.intercepts.end(), 0.0) / static_cast<double>(classes);
  for (double& intercept : parts.intercepts) intercept -= mean;
  return Model(std::move(parts));
}

struct SoftmaxSample {
  Index rows = 0;
  double loss = 0;     ///< mean
  double trivial = 0;  ///< of the shares of the classes
};

SoftmaxSample measure(const Model& model, const Data& data, const Run& run) {
  const Index classes = model.outputs();
  std::vector<double> counts(static_cast<std::size_t>(classes));
  double sum = 0;
  model.for_each_prediction(
      data, {.with_targets = true},
      [&](const PredictionBlock& block) {
        for (Index i = 0; i < block.rows(); ++i) {
          const auto mine = static_cast<Index>(block.targets(i, 0));
          const double* const scores = block.scores.row(i);
          const double largest = *std::max_element(scores, scores + classes);
          double total = 0;
          for (Index k = 0; k < classes; ++k) total += std::exp(scores[k] - largest);
          sum += largest + std::log(total) - scores[mine];
          ++counts[static_cast<std::size_t>(mine)];
        }
      },
      run);
  const double rows = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (rows == 0) throw Error(ErrorKind::data, "there are no rows to certify on", data.name(), "give the training rows");
  SoftmaxSample sample{.rows = static_cast<Index>(rows), .loss = sum / rows};
  for (const double count : counts)
    if (count > 0) sample.trivial -= count / rows * std::log(count / rows);
  return sample;
}

double length(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

class SoftmaxLines {
 public:
  SoftmaxLines(const Certificate& facts, double classes, double alternatives)
      : facts_(facts), classes_(classes), log_inverse_(std::log(alternatives / facts.delta)) {}

  /// `constant` times `norm` bounds the length of the scores less the intercepts; absent: `reason`.
  void add(std::vector<BoundLine>& lines, const std::string& kind, std::optional<double> constant, double grid_constant,
           const std::vector<double>* norms, const std::string& reason) const {
    for (const char* radius : {"fixed", "learned"}) {
      BoundLine& line = lines.emplace_back(BoundLine{.name = kName, .claim = "risk", .radius = radius, .theta = kind});
      if (!constant || norms == nullptr || !reason.empty()) {
        line.inapplicable = reason.empty() ? "the constant is infinite or the papers have none here" : reason;
        continue;
      }
      const bool learned = std::string(radius) == "learned";
      const double scale = grid_constant > 0 ? grid_constant : *constant;
      Reach reach =
          class_reach(reach_of(scale, length(*norms)), *constant / scale, length(facts_.intercepts), 1, learned);
      if (learned) reach.log_cost += learned_cost();
      fill(line, reach);
    }
  }

 private:
  void fill(BoundLine& line, const Reach& reach) const {
    const auto rows = static_cast<double>(facts_.rows);
    const auto gap = [&](double m) { return softmax_gap(classes_, reach.value, m, log_inverse_ + reach.log_cost); };
    line.gap = gap(rows);
    line.bound = facts_.train_loss + line.gap;
    line.lower = facts_.train_loss - line.gap;
    line.complexity = std::sqrt(classes_ / rows) * reach.value;
    line.vacuous = !(line.bound < facts_.trivial_loss);
    // A wrong class costs at least log 2: another score is no smaller.
    line.error = std::min(1.0, line.bound / std::numbers::ln2);
    const auto rows_at = [&](double wanted) {  // the gap falls as 1/√m
      return wanted > 0 ? std::optional(std::ceil(rows * line.gap * line.gap / (wanted * wanted))) : std::nullopt;
    };
    if (line.vacuous) line.rows_needed = rows_at(facts_.trivial_loss - facts_.train_loss);
    if (!(*line.lower > 0)) line.rows_for_lower = rows_at(facts_.train_loss);
    line.assumes =
        "rows drawn independently from one distribution whose inputs stay within the range of these rows; encoding, "
        "family, sigma and gamma chosen independently of the rows; ";
    line.assumes += line.radius == "fixed"
                        ? "norm and intercepts bounded in advance by the values of this model"
                        : "nothing about norm and intercepts: a union bound over a grid of radii covers them";
  }

  const Certificate& facts_;
  double classes_;
  double log_inverse_;
};

}  // namespace

Certificate softmax_certificate(const Model& model, const Data& data, const CertifyOptions& options,
                                double alternatives, const Run& run) {
  if (options.bound != Theorem::all && options.bound != Theorem::softmax)
    throw Error(ErrorKind::option,
                fmt::format("{} does not apply: the softmax loss couples the outputs", name_of(options.bound)),
                "‹bound›", "leave it out, or choose softmax");
  const Model least = centred(model);
  const SoftmaxSample sample = measure(least, data, run);
  Certificate result{.loss = "softmax",
                     .rows = sample.rows,
                     .delta = options.delta,
                     .train_loss = sample.loss,
                     .trivial_loss = sample.trivial,
                     .constants = sample_constants(least, data, run),
                     .rkhs_norms = least.rkhs_norms(run),
                     .l2p_norms = square_integrable_norms(least, run),
                     .intercepts = least.parts().intercepts};
  const FeatureMap& map = model.parts().map;
  const std::string plain = some_plain(map) ? "some of the model's families have no weight kernel" : "";
  const std::string unknown = map.sections() != nullptr ? "a kernel machine has no weight function in L2(p)"
                              : !result.l2p_norms
                                  ? "the model mixes plain and weighted features, which have no common L2(p) norm"
                              : all_plain(map) && chosen_by_rows(model) ? "the features were chosen using the rows"
                                                                        : "";
  const SoftmaxLines lines(result, static_cast<double>(model.outputs()), alternatives);
  const double exact = result.constants.theta.value_or(0);
  std::vector<BoundLine> all;
  lines.add(all, "paper", result.constants.theta_bound, exact, &result.rkhs_norms, plain);
  lines.add(all, "exact", result.constants.theta, exact, &result.rkhs_norms, plain);
  lines.add(all, "tau", result.constants.tau, result.constants.tau, result.l2p_norms ? &*result.l2p_norms : nullptr,
            unknown);
  result.lines = std::move(all);
  if (alternatives > 1)
    result.notes.push_back(fmt::format(
        "the model was chosen from {:.0f} alternatives by a search over these rows: delta is divided among them, so "
        "the choice is covered",
        alternatives));
  return result;
}

}  // namespace weft::detail
