#include "prune/acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

void check_rule(AcceptRule rule, const ModelParts& parts) {
  check_error_rate(rule, parts.encoder.target().task);
  if (rule != AcceptRule::norm && rule != AcceptRule::bound) return;
  for (const FeaturePart& part : parts.map.parts())
    if (part.family.kernel.none())
      throw Error(ErrorKind::option, "plain features have no weight function to bound", "‹accept›",
                  "use ‹accept› risk or error");
}

/// sup ‖Ψ_x‖ over the rows: exact where it exists.
double largest_theta(const FeatureMap& map, const BlockSource& rows, const Run& run) {
  double largest = 0;
  rows.for_each([&](const TrainingBlock& block) {
    const Constants constants = map.constants(block.x, run);
    const std::optional<double> theta = constants.theta ? constants.theta : constants.theta_bound;
    if (!theta)
      throw Error(ErrorKind::option, "theta of this family is not finite: " + constants.note, "‹accept›",
                  "use ‹accept› risk or error");
    largest = std::max(largest, *theta);
    return true;
  });
  return largest;
}

}  // namespace

void check_error_rate(AcceptRule rule, Task task) {
  if (rule == AcceptRule::error && task == Task::regression)
    throw Error(ErrorKind::option, "regression has no error rate", "‹accept›", "use ‹accept› risk");
}

Acceptance::Acceptance(const ModelParts& parts, const FitOptions& fit, const BlockSource& rows, const Geometry& weights,
                       AcceptRule rule, double delta, const Run& run)
    : parts_(parts), weights_(weights), rule_(rule), risk_(parts, fit, rows) {
  check_rule(rule, parts);
  if (rule == AcceptRule::norm || rule == AcceptRule::bound) {
    theta_ = largest_theta(parts.map, rows, run);
    norms_ = norms(weights, parts.coefficients);
    bound_factor_ = (2 + std::sqrt(2 * std::log(1 / delta))) / std::sqrt(static_cast<double>(rows.rows()));
  }
  if (rule != AcceptRule::norm)
    before_ = risk_.measure(parts.map, {{parts.coefficients, parts.intercepts}}, run).front();
}

double Acceptance::most_change(const Pruned& model) const {
  const std::vector<double> distances = norms(weights_, difference(parts_.coefficients, model.coefficients));
  std::vector<double> moves;
  std::vector<double> reach;
  for (std::size_t o = 0; o < distances.size(); ++o) {
    const double intercept = std::abs(parts_.intercepts[o] - model.intercepts[o]);
    moves.push_back(theta_ * distances[o] + intercept);
    reach.push_back(theta_ * norms_[o] + std::abs(parts_.intercepts[o]) + moves.back());
  }
  return risk_.most_change(moves, reach);
}

std::vector<double> Acceptance::values(const std::vector<Pruned>& models, const Run& run) const {
  std::vector<double> values;
  if (rule_ == AcceptRule::norm) {
    for (const Pruned& model : models) values.push_back(most_change(model));
    return values;
  }
  const std::vector<RowMeans> after = risk_.measure(parts_.map, models, run);
  for (std::size_t k = 0; k < models.size(); ++k) {
    const double risk = after[k].risk - before_.risk;
    values.push_back(rule_ == AcceptRule::error  ? after[k].error - before_.error
                     : rule_ == AcceptRule::risk ? risk
                                                 : risk + bound_factor_ * most_change(models[k]));
  }
  return values;
}

}  // namespace weft::detail
