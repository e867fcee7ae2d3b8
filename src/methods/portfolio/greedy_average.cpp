#include "methods/portfolio/greedy_average.hpp"

#include <limits>

namespace weft::detail {

namespace {

/// (sum + next) / count.
Matrix mean_with(const Matrix& sum, const Matrix& next, Index count) {
  Matrix result(next.rows(), next.cols());
  for (Index k = 0; k < next.rows() * next.cols(); ++k)
    result.data()[k] = (sum.data()[k] + next.data()[k]) / static_cast<double>(count);
  return result;
}

}  // namespace

std::vector<double> greedy_average(const std::vector<const Matrix*>& predictions,
                                   const std::function<double(const Matrix&)>& error, Index most, double gain) {
  std::vector<double> weights(predictions.size());
  Matrix sum(predictions.front()->rows(), predictions.front()->cols());
  double smallest = std::numeric_limits<double>::infinity();
  Index added = 0;
  for (; added < most; ++added) {
    std::size_t best = predictions.size();
    double best_error = smallest < std::numeric_limits<double>::infinity() ? smallest * (1 - gain) : smallest;
    for (std::size_t k = 0; k < predictions.size(); ++k) {
      const double with = error(mean_with(sum, *predictions[k], added + 1));
      if (!(with < best_error)) continue;
      best = k;
      best_error = with;
    }
    if (best == predictions.size()) break;
    smallest = best_error;
    weights[best] += 1;
    for (Index k = 0; k < sum.rows() * sum.cols(); ++k) sum.data()[k] += predictions[best]->data()[k];
  }
  if (added == 0) {  // no error is a number: the first stands for all
    weights.front() = 1;
    added = 1;
  }
  for (double& weight : weights) weight /= static_cast<double>(added);
  return weights;
}

}  // namespace weft::detail
