#include "objective/logistic_loss.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

double binary_row(double y, double& score, View<double> curvature, Index i) {
  const double margin = y * score;
  const double tail = std::exp(-std::abs(margin));
  const double wrong = margin > 0 ? tail / (1 + tail) : 1 / (1 + tail);  // probability of the other class
  score = -y * wrong;
  curvature(0, i) = curvature(1, i) = tail / ((1 + tail) * (1 + tail));
  return std::max(-margin, 0.0) + std::log1p(tail);
}

double softmax_row(View<const double> y, View<double> scores, View<double> curvature, Index i) {
  const Index classes = scores.rows;
  double largest = scores(0, i);
  for (Index k = 1; k < classes; ++k) largest = std::max(largest, scores(k, i));
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += std::exp(scores(k, i) - largest);
  double loss = largest + std::log(sum);
  for (Index k = 0; k < classes; ++k) {
    const bool mine = y(k, i) > 0;
    if (mine) loss -= scores(k, i);
    const double p = std::exp(scores(k, i) - largest) / sum;
    scores(k, i) = p - (mine ? 1 : 0);
    curvature(k, i) = p * (1 - p);
    curvature(classes, i) += p * (1 - p) / static_cast<double>(classes - 1);
  }
  return std::max(loss, 0.0);
}

}  // namespace weft::detail
