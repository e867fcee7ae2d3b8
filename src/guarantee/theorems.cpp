#include "guarantee/theorems.hpp"
#include "features/draws.hpp"

#include "core/at.hpp"
#include "methods/method.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr const char* kRows =
    "rows drawn independently from one distribution whose inputs and targets stay within the range of these rows; "
    "encoding, family, sigma and gamma chosen independently of the rows";
constexpr const char* kFixed = "norm and intercept bounded in advance by the values of this model";
constexpr const char* kLearned = "nothing about norm and intercept: a union bound over a grid of radii covers them";

std::string option_of(const Model& model, const std::string& name) {
  const auto found = model.parts().options.find(name);
  return found == model.parts().options.end() ? "" : found->second;
}

std::string word_of(const Model& model, const std::string& name) {
  for (const auto& [key, value] : model.parts().report.words)
    if (key == name) return value;
  return "";
}

/// The largest |f| of a class, and −log of the share of δ of that class.
struct Reach {
  double value = 0;
  double log_cost = 0;
};

class Theorems {
 public:
  explicit Theorems(const Facts& facts) : facts_(facts), rows_(static_cast<double>(facts.sample.rows)) {}

  using Gap = std::function<double(Index output, double rows)>;

  std::vector<BoundLine> uniform(const std::string& name,
                                 double (*gap)(const LossRange&, double, double, double)) const {
    return by_theta(name, "risk", {"fixed", "learned"}, rkhs_reason(), [&](BoundLine& line, double theta) {
      fill(line, facts_.sample.mean(&OutputSample::train_loss), [&](Index k, double rows) {
        const Reach reach = rkhs_reach(k, theta, line.radius);
        return gap(range(k), reach.value, rows, log_inverse() + reach.log_cost);
      });
    });
  }

  std::vector<BoundLine> square_integrable(const std::string& name) const {
    std::vector<BoundLine> lines;
    for (const char* radius : {"fixed", "learned"}) {
      BoundLine& line = lines.emplace_back(blank(name, "risk", radius, "tau"));
      if (const std::string reason = square_integrable_reason(); !reason.empty()) {
        line.inapplicable = reason;
        continue;
      }
      if (all_plain(facts_.model.parts().map)) line.assumes += "; centres drawn independently of the rows";
      fill(line, facts_.sample.mean(&OutputSample::train_loss), [&](Index k, double rows) {
        const double norm = reach_of(facts_.constants.tau, (*facts_.l2p_norms)[at(k)]);
        const Reach reach = total_reach(k, norm, 1, line.radius);
        return rademacher_gap(range(k), reach.value, rows, log_inverse() + reach.log_cost);
      });
    }
    return lines;
  }

  /// The least squares of a kernel machine whose norm is B are least over the ball of radius B.
  std::vector<BoundLine> empirical_minimiser(const std::string& name) const {
    return by_theta(name, "excess", {"fixed"}, empirical_reason(), [&](BoundLine& line, double theta) {
      fill(line, 0, [&](Index k, double rows) {
        return minimum_excess(range(k), rkhs_reach(k, theta, line.radius).value, rows, log_inverse());
      });
    });
  }

  std::vector<BoundLine> descent(const std::string& name) const {
    return by_theta(name, "excess", {"fixed"}, descent_reason(), [&](BoundLine& line, double theta) {
      const FitReport& report = facts_.model.parts().report;
      const std::string given = option_of(facts_.model, "radius");
      const double radius = given.empty() ? 0 : std::stod(given);
      const DescentRun run{.norm = radius > 0 ? radius : *report.number("largest_norm"),
                           .lambda = *report.number("lambda"),
                           .steps = *report.number("steps")};
      line.assumes = fmt::format(
          "{}; lambda chosen in advance; the norm bounded by {:.4g}{}; the intercept fixed in advance; holds in "
          "expectation over rows, features and batches, so delta is not used",
          kRows, run.norm, radius > 0 ? " by ‹radius›" : ", the largest of an iterate, as if given in advance");
      fill(line, 0, [&](Index k, double rows) {
        return descent_excess(range(k), theta, *facts_.constants.kappa, intercept(k), run, rows);
      });
      if (outputs() == 1) line.best_lambda = descent_lambda(range(0), theta, intercept(0), run.norm, rows_);
    });
  }

  std::vector<BoundLine> minimiser(const std::string& name) const {
    return by_theta(name, "excess", {"fixed"}, minimiser_reason(), [&](BoundLine& line, double theta) {
      line.assumes = fmt::format(
          "{}; {}; the fit minimises the unweighted loss; K(w,w)phi^2 bounded (relu and the exponential "
          "kernel are not, and the paper's concentration step is unproven there); compared with the "
          "training loss of the best weighting of psi(x_i) with small coefficients",
          kRows, kFixed);
      const auto features = static_cast<double>(facts_.model.parts().map.features());
      fill(line, 0, [&](Index k, double rows) {
        return minimiser_gap(range(k), theta, *facts_.constants.kappa, intercept(k), facts_.rkhs_norms[at(k)], features,
                             rows, log_inverse());
      });
      double needed = 1;
      for (Index k = 0; k < outputs(); ++k)
        needed = std::max(needed, minimiser_features(range(k), theta, *facts_.constants.kappa, intercept(k),
                                                     facts_.rkhs_norms[at(k)], rows_, log_inverse()));
      line.features_needed = needed;
    });
  }

  std::vector<BoundLine> pruned(const std::string& name) const {
    return by_theta(name, "difference", {"fixed", "learned"}, pruned_reason(), [&](BoundLine& line, double theta) {
      const Original& original = *facts_.original;
      line.assumes = fmt::format(
          "{}; the original fixed before these rows were drawn, which is not the case for its training rows; {}", kRows,
          line.radius == "fixed" ? "the distance to it bounded in advance"
                                 : "nothing about the distance to it: a union bound over a grid");
      fill(line, facts_.sample.mean(&OutputSample::train_loss) - original.train_loss, [&](Index k, double rows) {
        const double shift = centred(original.intercepts[at(k)], k);
        const double reach = reach_of(theta, original.rkhs_norms[at(k)]) + std::abs(shift);
        const double scale = facts_.constants.theta.value_or(theta);
        const Reach distance = rounded(k, reach_of(scale, original.distance.norms[at(k)]), theta / scale,
                                       std::abs(shift - intercept(k)), line.radius);
        return pruning_gap(range(k), reach, distance.value, rows, log_inverse() + distance.log_cost);
      });
    });
  }

 private:
  Index outputs() const { return facts_.model.outputs(); }
  double outputs_number() const { return static_cast<double>(outputs()); }
  double centred(double intercept, Index k) const { return intercept - facts_.sample.outputs[at(k)].target_centre; }
  double intercept(Index k) const { return centred(facts_.model.parts().intercepts[at(k)], k); }
  /// δ is divided among the outputs and among the models that might have been chosen.
  double log_inverse() const { return std::log(outputs_number() * facts_.alternatives / facts_.delta); }

  LossRange range(Index k) const {
    return {facts_.loss, facts_.sample.outputs[at(k)].target_radius, facts_.model.target().task != Task::regression};
  }

  /// factor · norm_reach + intercept, both rounded up to the grid where the radius is learned. The grid is the same for
  /// the paper's θ and for the exact one, so that one event serves both; the targets' radius is its unit.
  Reach rounded(Index k, double norm_reach, double factor, double intercept, const std::string& radius) const {
    if (!std::isfinite(norm_reach)) return {norm_reach, 0};
    const auto stretched = [&](double reach) { return reach == 0 ? 0 : factor * reach; };  // factor: ∞ where θ is 0
    if (radius == "fixed") return {stretched(norm_reach) + intercept, 0};
    const double targets = facts_.sample.outputs[at(k)].target_radius;
    const double unit = targets > 0 ? targets : 1;
    const GridRadius norm = round_up(norm_reach, unit);
    const GridRadius shift = round_up(intercept, unit);
    return {stretched(norm.radius) + shift.radius, norm.log_cost + shift.log_cost};
  }

  /// Half of δ is for balls of the RKHS and half for those of L²(p): all learned lines hold together.
  Reach total_reach(Index k, double norm_reach, double factor, const std::string& radius) const {
    Reach reach = rounded(k, norm_reach, factor, std::abs(intercept(k)), radius);
    if (radius == "learned") reach.log_cost += std::numbers::ln2;
    return reach;
  }

  Reach rkhs_reach(Index k, double theta, const std::string& radius) const {
    const double scale = facts_.constants.theta.value_or(theta);
    return total_reach(k, reach_of(scale, facts_.rkhs_norms[at(k)]), theta / scale, radius);
  }

  BoundLine blank(const std::string& name, const std::string& claim, const std::string& radius,
                  const std::string& theta) const {
    BoundLine line{.name = name, .claim = claim, .radius = radius, .theta = theta, .assumes = kRows};
    line.assumes += std::string("; ") + (radius == "fixed" ? kFixed : kLearned);
    return line;
  }

  /// One line per radius and θ; `compute` fills those that apply.
  std::vector<BoundLine> by_theta(const std::string& name, const std::string& claim,
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

  void fill(BoundLine& line, double measured, const Gap& gap) const {
    const auto mean_gap = [&](double rows) {
      double mean = 0;
      for (Index k = 0; k < outputs(); ++k) mean += gap(k, rows) / outputs_number();
      return mean;
    };
    const double trivial = facts_.sample.mean(&OutputSample::trivial_loss);
    line.gap = mean_gap(rows_);
    line.bound = measured + line.gap;
    line.vacuous = !(line.bound < trivial);
    if (line.vacuous) line.rows_needed = enough_rows([&](double rows) { return measured + mean_gap(rows) < trivial; });
    if (line.claim == "risk" && facts_.model.target().task != Task::regression) {
      // A wrong sign costs at least ℓ(0, 1); a wrong largest score costs two outputs that much, by convexity.
      const double price = facts_.loss.value(0, 1) * (outputs() == 1 ? 1 : 2) / outputs_number();
      line.error = std::min(1.0, line.bound / price);
    }
  }

  /// The least number of rows for which this holds, gaps falling with the rows; none up to 1e30.
  std::optional<double> enough_rows(const std::function<bool(double)>& informative) const {
    double low = std::log(rows_), high = std::log(1e30);
    if (!informative(std::exp(high))) return std::nullopt;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (informative(std::exp(middle)) ? high : low) = middle;
    }
    return std::ceil(std::exp(high));
  }

  std::string empirical_reason() const {
    const FeatureMap& map = facts_.model.parts().map;
    if (map.sections() == nullptr)
      return "its minimiser is over the whole ball, which random features do not span; Theorem 6.8 covers them";
    if (const Method* method = fitted_by(); method == nullptr || !method->minimises)
      return "the model does not minimise a regularised loss";
    if (option_of(facts_.model, "class_weights") == name_of(ClassWeighting::balanced))
      return "the fit used class weights";
    return map.features() == facts_.sample.rows ? ""
                                                : "its minimiser is over the whole ball, and landmarks span a part";
  }

  std::string square_integrable_reason() const {
    const FeatureMap& map = facts_.model.parts().map;
    if (map.sections() != nullptr) return "a kernel machine has no weight function in L2(p)";
    // A weight function does not depend on how its centres were chosen; plain features do.
    if (all_plain(map) && chosen_by_rows()) return "the features were chosen using the rows";
    if (!facts_.l2p_norms) return "the model mixes plain and weighted features, which have no common L2(p) norm";
    return "";
  }

  /// Features were sampled using the rows, or pruned.
  bool chosen_by_rows() const {
    const auto sampling = choice_named<Sampling>(option_of(facts_.model, "sampling"));
    if (sampling && samples_from_data(*sampling)) return true;
    const FeatureMap& map = facts_.model.parts().map;
    const std::string drawn = option_of(facts_.model, "features");
    return map.parts().size() == 1 && !drawn.empty() && drawn != std::to_string(map.features());
  }

  std::string rkhs_reason() const {
    const FeatureMap& map = facts_.model.parts().map;
    if (all_plain(map)) return "plain random features have no weight function in an RKHS; Theorem 6.5 covers them";
    return some_plain(map) ? "some of the model's families have no weight kernel" : "";
  }

  /// Theorems 6.7 and 6.8 are about features drawn from one p, and the loss without class weights.
  std::string drawn_reason() const {
    if (std::string reason = rkhs_reason(); !reason.empty()) return reason;
    if (facts_.model.parts().map.parts().size() > 1) return "it covers one family, and the model is a union";
    if (chosen_by_rows()) return "the features were selected from those drawn";
    if (!facts_.constants.kappa) return "kappa is infinite at this gamma";
    return option_of(facts_.model, "class_weights") == name_of(ClassWeighting::balanced) ? "the fit used class weights"
                                                                                         : "";
  }

  /// nullptr where the model does not record it.
  const Method* fitted_by() const {
    const std::string name = option_of(facts_.model, "fit");
    return name.empty() ? nullptr : methods()[method_options(name).index()];
  }

  std::string descent_reason() const {
    if (const Method* method = fitted_by(); method == nullptr || !method->descends)
      return "the model was not fitted by sfgd";
    for (const char* name : {"lambda", "steps", "largest_norm"})
      if (!facts_.model.parts().report.number(name)) return std::string("the model does not record the fit's ") + name;
    return drawn_reason();
  }

  std::string minimiser_reason() const {
    if (facts_.model.parts().map.sections() != nullptr)
      return "it covers random features, and this is a kernel machine";
    if (const Method* method = fitted_by(); method == nullptr || !method->minimises)
      return "the model does not minimise a regularised loss";
    if (word_of(facts_.model, "regularizer") != name_of(Regularizer::rkhs))
      return "the fit did not penalise the RKHS norm (‹regularizer› rkhs)";
    return drawn_reason();
  }

  std::string pruned_reason() const {
    if (!facts_.original) return "it compares a pruned model with its original, and no original is given";
    if (std::string reason = rkhs_reason(); !reason.empty()) return reason;
    return facts_.original->distance.reason;
  }

  const Facts& facts_;
  double rows_;
};

}  // namespace

std::vector<BoundLine> theorem_lines(Theorem theorem, const Facts& facts) {
  const Theorems theorems(facts);
  switch (theorem) {
    case Theorem::all:
      break;
    case Theorem::theorem_6_2:
      return theorems.uniform("Anonymous 2026, Theorem 6.2", rademacher_gap);
    case Theorem::theorem_6_3:
      return theorems.empirical_minimiser("Anonymous 2026, Theorem 6.3");
    case Theorem::theorem_6_5:
      return theorems.square_integrable("Anonymous 2026, Theorem 6.5");
    case Theorem::theorem_6_7:
      return theorems.descent("Anonymous 2026, Theorem 6.7");
    case Theorem::theorem_6_8:
      return theorems.minimiser("Anonymous 2026, Theorem 6.8");
    case Theorem::theorem_8:
      return theorems.pruned("Dubé & Marchand 2023, Theorem 8");
    case Theorem::theorem_10:
      return theorems.uniform("Dubé & Marchand 2023, Theorem 10", bounded_loss_gap);
  }
  return {};
}

}  // namespace weft::detail
