#include "guarantee/theorems.hpp"

#include "core/at.hpp"
#include "guarantee/bound_lines.hpp"

#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

class Theorems : BoundLines {
 public:
  using BoundLines::BoundLines;

  std::vector<BoundLine> uniform(const std::string& name,
                                 double (*gap)(const LossRange&, double, double, double)) const {
    return by_theta(name, "risk", {"fixed", "learned"}, applies_.rkhs(), [&](BoundLine& line, double theta) {
      fill_risk(
          line,
          [&](Index k, double rows) {
            const Reach reach = rkhs_reach(k, theta, line.radius);
            return gap(range(k), reach.value, rows, log_inverse() + reach.log_cost);
          },
          [&](Index k, double) { return rkhs_reach(k, theta, line.radius).value; });
    });
  }

  std::vector<BoundLine> square_integrable(const std::string& name) const {
    std::vector<BoundLine> lines;
    for (const char* radius : {"fixed", "learned"}) {
      BoundLine& line = lines.emplace_back(blank(name, "risk", radius, "tau"));
      if (const std::string reason = applies_.square_integrable(); !reason.empty()) {
        line.inapplicable = reason;
        continue;
      }
      if (all_plain(facts_.model.parts().map)) line.assumes += kFreeCentres;
      fill_risk(
          line,
          [&](Index k, double rows) {
            const Reach reach = square_reach(k, line.radius);
            return rademacher_gap(range(k), reach.value, rows, log_inverse() + reach.log_cost);
          },
          [&](Index k, double) { return square_reach(k, line.radius).value; });
    }
    return lines;
  }

  /// Theorem 10 with the mean of K_X(x_i, x_i), or of E φ(w, x_i)², in place of its supremum.
  std::vector<BoundLine> traced(const std::string& name) const {
    const Constants& constants = facts_.constants;
    std::vector<BoundLine> lines;
    for (const char* radius : {"fixed", "learned"}) {
      BoundLine& rkhs = lines.emplace_back(blank(name, "risk", radius, "trace"));
      if (const std::string reason = applies_.rkhs(); !reason.empty())
        rkhs.inapplicable = reason;
      else if (!constants.theta || !constants.theta_mean)
        rkhs.inapplicable = "theta is infinite at this gamma";
      else
        trace(rkhs, *constants.theta, *constants.theta_mean,
              [&, radius](Index k) { return rkhs_reach(k, *constants.theta, radius); });
      BoundLine& square = lines.emplace_back(blank(name, "risk", radius, "tau trace"));
      if (const std::string reason = applies_.square_integrable(); !reason.empty())
        square.inapplicable = reason;
      else if (!constants.tau_mean)
        square.inapplicable = "tau is infinite";
      else {
        if (all_plain(facts_.model.parts().map)) square.assumes += kFreeCentres;
        trace(square, constants.tau, *constants.tau_mean, [&, radius](Index k) { return square_reach(k, radius); });
      }
    }
    return lines;
  }

  /// The least squares of a kernel machine whose norm is B are least over the ball of radius B.
  std::vector<BoundLine> empirical_minimiser(const std::string& name) const {
    return by_theta(name, "excess", {"fixed"}, applies_.empirical(), [&](BoundLine& line, double theta) {
      fill(line, 0, [&](Index k, double rows) {
        return minimum_excess(range(k), rkhs_reach(k, theta, line.radius).value, rows, log_inverse());
      });
    });
  }

  /// A fit that penalises the L²(p) norm is least over the ball of its own norm.
  std::vector<BoundLine> square_minimiser(const std::string& name) const {
    BoundLine line = blank(name, "excess", "fixed", "tau");
    if (const std::string reason = applies_.square_minimiser(); !reason.empty()) {
      line.inapplicable = reason;
      return {line};
    }
    line.assumes += all_plain(facts_.model.parts().map)
                        ? std::string(kFreeCentres) + ", p being uniform on them"
                        : "; compared with the best function of these features, which were drawn without the rows";
    fill(line, 0, [&](Index k, double rows) {
      return minimum_excess(range(k), square_reach(k, line.radius).value, rows, log_inverse());
    });
    return {line};
  }

  using Excess = double (*)(const LossRange&, double, double, double, const DescentRun&, double);

  /// `share`: λ of the paper for one of the run.
  std::vector<BoundLine> descent(const std::string& name, Excess excess, double share) const {
    return by_theta(name, "excess", {"fixed"}, applies_.descent(), [&](BoundLine& line, double theta) {
      const std::string given = option_of(facts_.model, "radius");
      const double radius = given.empty() ? 0 : std::stod(given);
      const FitReport& report = facts_.model.parts().report;
      const DescentRun run{.norm = radius > 0 ? radius : *report.number("largest_norm"),
                           .lambda = *report.number("lambda"),
                           .steps = *report.number("steps")};
      line.assumes = fmt::format(
          "{}; lambda chosen in advance; the norm bounded by {:.4g}{}; the intercept fixed in advance; holds in "
          "expectation over rows, features and batches, so delta is not used",
          kRowsAssumed, run.norm, radius > 0 ? " by ‹radius›" : ", the largest of an iterate, as if given in advance");
      const auto mean = [&](const DescentRun& other, double rows) {
        return mean_over_outputs(
            [&](Index k, double m) { return excess(range(k), theta, *facts_.constants.kappa, intercept(k), other, m); },
            rows);
      };
      fill(line, 0, [&](Index k, double rows) {
        return excess(range(k), theta, *facts_.constants.kappa, intercept(k), run, rows);
      });
      line.features_needed = enough_steps([&](double steps) { return mean({run.norm, run.lambda, steps}, rows_); });
      if (outputs() == 1) line.best_lambda = descent_lambda(range(0), theta, intercept(0), run.norm, rows_) / share;
    });
  }

  std::vector<BoundLine> minimiser(const std::string& name) const {
    return by_theta(name, "excess", {"fixed"}, applies_.minimiser(), [&](BoundLine& line, double theta) {
      line.assumes +=
          "; the fit minimises the unweighted loss; K(w,w)phi^2 bounded (relu and the exponential kernel are not, and "
          "the paper's concentration step is unproven there); compared with the training loss of the best weighting "
          "of psi(x_i) with small coefficients";
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
    return by_theta(name, "difference", {"fixed", "learned"}, applies_.pruned(), [&](BoundLine& line, double theta) {
      const Original& original = *facts_.original;
      line.assumes = fmt::format(
          "{}; the original fixed before these rows were drawn, which is not the case for its training rows; {}",
          kRowsAssumed,
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
  static constexpr const char* kFreeCentres = "; centres drawn independently of the rows";

  void trace(BoundLine& line, double supremum, double mean, const std::function<Reach(Index)>& reach_of_output) const {
    const auto complexity = [&](Index k, double rows) {
      const Reach reach = reach_of_output(k);
      const double root = traced_root(mean, supremum, rows, log_inverse() + trace_cost());
      return (reach.value - reach.intercept) * (supremum > 0 ? root / supremum : 1) + reach.intercept;
    };
    const double beside = line.radius == "fixed" ? beside_trace_cost() : 0;  // learned: part of the class's cost
    fill_risk(
        line,
        [&](Index k, double rows) {
          const Reach reach = reach_of_output(k);
          return traced_gap(range(k), reach.value, complexity(k, rows), rows, log_inverse() + reach.log_cost + beside);
        },
        complexity);
  }
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
    case Theorem::theorem_6_6:
      return theorems.square_minimiser("Anonymous 2026, Theorem 6.6");
    case Theorem::theorem_6_7:
      return theorems.descent("Anonymous 2026, Theorem 6.7", descent_excess, 1);
    case Theorem::theorem_6_8:
      return theorems.minimiser("Anonymous 2026, Theorem 6.8");
    case Theorem::theorem_8:
      return theorems.pruned("Dubé & Marchand 2023, Theorem 8");
    case Theorem::theorem_10:
      return theorems.uniform("Dubé & Marchand 2023, Theorem 10", bounded_loss_gap);
    case Theorem::theorem_11:
      return theorems.descent("Dubé & Marchand 2023, Theorem 11", descent_excess_74, 2);
    case Theorem::trace:
      return theorems.traced("Bartlett & Mendelson 2002, trace");
    case Theorem::softmax:
      return {{.name = "Maurer 2016, softmax",
               .claim = "risk",
               .inapplicable = "the fit's loss is not that of softmax, and the others cover it"}};
    case Theorem::equation_62:
      return pruning_lines(facts);
    case Theorem::wang_1:
      return wang_upper_lines(facts);
    case Theorem::wang_2:
      return wang_lower_lines(facts);
  }
  return {};
}

}  // namespace weft::detail
