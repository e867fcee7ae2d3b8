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

Penalty make_penalty(const FeatureMap& map, Regularizer kind, const Run& run) {
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
  const double largest = *std::max_element(logs.begin(), logs.end());
  penalty.log_factor = -2 * largest;
  penalty.matrix = penalty.kind == Regularizer::rkhs ? map.scaled_gram(largest, run) : map.scaled_l2_gram(largest, run);
  return penalty;
}

}  // namespace weft::detail
