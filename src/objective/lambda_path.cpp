#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

std::optional<std::size_t> LambdaPath::least() const {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < errors.size(); ++k)
    if (std::isfinite(errors[k]) && (!best || errors[k] < errors[*best])) best = k;
  return best;
}

std::optional<std::size_t> LambdaPath::largest_good() const {
  const std::optional<std::size_t> best = least();
  if (!best) return std::nullopt;
  std::size_t k = 0;
  while (!(errors[k] <= 1.002 * errors[*best])) ++k;
  return k;
}

LambdaPath follow_path(const std::vector<double>& lambdas, const PathRule& rule,
                       const std::function<std::optional<double>(double lambda)>& error,
                       const std::function<void(double lambda)>& on_better) {
  LambdaPath path;
  double best = std::numeric_limits<double>::infinity();
  int worse = 0;
  for (const double lambda : lambdas) {
    const std::optional<double> here = error(lambda);
    path.stopped = !here;
    if (!here) break;
    path.lambdas.push_back(lambda);
    path.errors.push_back(*here);
    ++worse;
    if (*here < rule.worthwhile * best) {
      worse = 0;
      best = *here;
      if (on_better) on_better(lambda);
    }
    if ((rule.patience > 0 && worse >= rule.patience) || *here > rule.rise * best) break;
  }
  return path;
}

std::vector<double> geometric_path(double first, double ratio, std::size_t count) {
  std::vector<double> lambdas;
  for (std::size_t k = 0; k < count; ++k, first *= ratio) lambdas.push_back(first);
  return lambdas;
}

}  // namespace weft::detail
