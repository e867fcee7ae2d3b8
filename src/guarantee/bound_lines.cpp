#include "guarantee/bound_lines.hpp"

#include "core/at.hpp"

#include <cmath>
#include <numbers>

namespace weft::detail {

const char* const kRowsAssumed =
    "rows drawn independently from one distribution whose inputs and targets stay within the range of these rows; "
    "encoding, family, sigma and gamma chosen independently of the rows";

namespace {

constexpr const char* kFixed = "norm and intercept bounded in advance by the values of this model";
constexpr const char* kLearned = "nothing about norm and intercept: a union bound over a grid of radii covers them";

}  // namespace

double BoundLines::centred(double intercept, Index k) const {
  return intercept - facts_.sample.outputs[at(k)].target_centre;
}

double BoundLines::intercept(Index k) const {
  return centred(facts_.model.parts().intercepts[at(k)], k);
}

double BoundLines::log_inverse() const {
  return std::log(outputs_number() * facts_.alternatives / facts_.delta);
}

LossRange BoundLines::range(Index k) const {
  return {facts_.loss, facts_.sample.outputs[at(k)].target_radius, facts_.model.target().task != Task::regression};
}

Reach BoundLines::rounded(Index k, double norm_reach, double factor, double intercept,
                          const std::string& radius) const {
  const double targets = facts_.sample.outputs[at(k)].target_radius;
  return class_reach(norm_reach, factor, intercept, targets > 0 ? targets : 1, radius == "learned");
}

Reach BoundLines::total_reach(Index k, double norm_reach, double factor, const std::string& radius) const {
  Reach reach = rounded(k, norm_reach, factor, std::abs(intercept(k)), radius);
  if (radius == "learned") reach.log_cost += learned_cost();
  return reach;
}

/// The grid is the same for the paper's θ and for the exact one, so that one event serves both.
Reach BoundLines::rkhs_reach(Index k, double theta, const std::string& radius) const {
  const double scale = facts_.constants.theta.value_or(theta);
  return total_reach(k, reach_of(scale, facts_.rkhs_norms[at(k)]), theta / scale, radius);
}

Reach BoundLines::square_reach(Index k, const std::string& radius) const {
  return total_reach(k, reach_of(facts_.constants.tau, (*facts_.l2p_norms)[at(k)]), 1, radius);
}

BoundLine BoundLines::blank(const std::string& name, const std::string& claim, const std::string& radius,
                            const std::string& theta) const {
  BoundLine line{.name = name, .claim = claim, .radius = radius, .theta = theta, .assumes = kRowsAssumed};
  line.assumes += std::string("; ") + (radius == "fixed" ? kFixed : kLearned);
  return line;
}

std::vector<BoundLine> BoundLines::by_theta(const std::string& name, const std::string& claim,
                                            const std::vector<const char*>& radii, const std::string& reason,
                                            const std::function<void(BoundLine&, double theta)>& compute) const {
  const Constants& constants = facts_.constants;
  std::vector<BoundLine> lines;
  for (const char* radius : radii)
    for (const char* kind : {"paper", "exact"}) {
      const bool exact = std::string(kind) == "exact";
      const std::optional<double>& theta = exact ? constants.theta : constants.theta_bound;
      BoundLine& line = lines.emplace_back(blank(name, claim, radius, kind));
      if (!reason.empty())
        line.inapplicable = reason;
      else if (!theta)
        line.inapplicable = exact ? "theta is infinite at this gamma" : "the papers give no bound on theta here";
      else
        compute(line, *theta);
    }
  return lines;
}

double BoundLines::mean_over_outputs(const Gap& value, double rows) const {
  double mean = 0;
  for (Index k = 0; k < outputs(); ++k) mean += value(k, rows) / outputs_number();
  return mean;
}

void BoundLines::fill(BoundLine& line, double measured, const Gap& gap) const {
  const double trivial = facts_.sample.mean(&OutputSample::trivial_loss);
  line.gap = mean_over_outputs(gap, rows_);
  line.bound = measured + line.gap;
  line.vacuous = !(line.bound < trivial);
  if (line.vacuous)
    line.rows_needed = enough_rows([&](double rows) { return measured + mean_over_outputs(gap, rows) < trivial; });
  if (line.claim == "risk" && facts_.model.target().task != Task::regression) {
    // A wrong sign costs at least ℓ(0, 1); a wrong largest score costs two outputs that much, by convexity.
    const double price = facts_.loss.value(0, 1) * (outputs() == 1 ? 1 : 2) / outputs_number();
    line.error = std::min(1.0, line.bound / price);
  }
}

void BoundLines::fill_risk(BoundLine& line, const Gap& gap, const Gap& complexity_reach) const {
  const double measured = facts_.sample.mean(&OutputSample::train_loss);
  fill(line, measured, gap);
  line.complexity = mean_over_outputs(complexity_reach, rows_) / std::sqrt(rows_);
  line.lower = measured - line.gap;
  if (!(*line.lower > 0))
    line.rows_for_lower = enough_rows([&](double rows) { return measured > mean_over_outputs(gap, rows); });
}

std::optional<double> BoundLines::enough_rows(const std::function<bool(double)>& informative) const {
  double low = std::log(rows_), high = std::log(1e30);
  if (!informative(std::exp(high))) return std::nullopt;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (informative(std::exp(middle)) ? high : low) = middle;
  }
  return std::ceil(std::exp(high));
}

}  // namespace weft::detail
