#include "objective/penalty.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

double Penalty::effective(double lambda) const {
  return std::exp(std::log(lambda) + log_factor);
}

double Penalty::user_lambda(double effective_lambda) const {
  return std::exp(std::log(effective_lambda) - log_factor);
}

void Penalty::add_ridge(NormalEquations& equations, double times) const {
  for (std::size_t t = 0; t < ridge.size(); ++t) {
    const auto at = static_cast<Index>(t);
    equations.gram(at, at) += times * ridge[t] * equations.weight;
  }
}

namespace {

/// ε‖a‖² in b: a_t = b_t/A(w_t), and T·b_t for plain features. What would overflow, times the rows, is cut off: such a
/// feature has the coefficient 0.
std::vector<double> ridge_on_coefficients(const FeatureMap& map, double epsilon) {
  constexpr double kMost = 1e200;
  const std::vector<double> logs = map.log_amplitudes();
  std::vector<double> ridge;
  for (const FeaturePart& part : map.parts())
    for (Index t = 0; t < part.centres.count(); ++t) {
      const double log =
          part.family.kernel.none() ? -std::log(static_cast<double>(map.features())) : logs[ridge.size()];
      ridge.push_back(std::min(kMost, std::exp(std::log(epsilon) - 2 * log)));
    }
  return ridge;
}

}  // namespace

Penalty penalty_without_matrix(const FeatureMap& map, Regularizer kind) {
  // The parts of a union have norms of different size (1/P of the pool against 1/n of the stumps), so that one λ for
  // both leaves one of them free: auto takes the RKHS norm for one family alone.
  const bool one_norm =
      map.sections() != nullptr || (map.parts().size() == 1 && !map.parts().front().family.kernel.none());
  Penalty penalty;
  penalty.kind = kind != Regularizer::automatic ? kind : one_norm ? Regularizer::rkhs : Regularizer::ridge;
  if (penalty.kind == Regularizer::ridge) {
    penalty.log_factor = std::log(static_cast<double>(map.features()));
    return penalty;
  }
  const std::vector<double> logs = map.log_amplitudes();
  penalty.log_factor = -2 * *std::max_element(logs.begin(), logs.end());
  return penalty;
}

Matrix penalty_matrix(const Penalty& penalty, const FeatureMap& some, const Run& run) {
  const double largest = -penalty.log_factor / 2;
  return penalty.kind == Regularizer::rkhs ? some.scaled_gram(largest, run) : some.scaled_l2_gram(largest, run);
}

Penalty make_penalty(const FeatureMap& map, Regularizer kind, const Run& run, double coefficient_ridge) {
  Penalty penalty = penalty_without_matrix(map, kind);
  if (coefficient_ridge > 0) penalty.ridge = ridge_on_coefficients(map, coefficient_ridge);
  if (penalty.kind != Regularizer::ridge) penalty.matrix = penalty_matrix(penalty, map, run);
  return penalty;
}

}  // namespace weft::detail
