#include "objective/loss.hpp"

#include "core/log_sigmoid.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

Loss Loss::for_task(Kind kind, double delta, Task task) {
  const bool classes = task == Task::binary || task == Task::multiclass;
  if (!classes && (kind == Kind::logistic || kind == Kind::hinge))
    throw Error(ErrorKind::option, fmt::format("the {} loss needs classes, and the target is numeric", name_of(kind)),
                "‹loss›", "use squared or huber, or ‹task› classification where the numbers are classes");
  return Loss(kind, delta);
}

double Loss::value(double f, double y) const {
  const double r = f - y;
  switch (kind_) {
    case Kind::squared:
      return r * r;
    case Kind::logistic:
      return -log_sigmoid(y * f);
    case Kind::hinge:
      return std::max(0.0, 1 - y * f);
    case Kind::huber:
      return std::abs(r) <= delta_ ? r * r / 2 : delta_ * (std::abs(r) - delta_ / 2);
  }
  return 0;
}

double Loss::derivative(double f, double y) const {
  switch (kind_) {
    case Kind::squared:
      return 2 * (f - y);
    case Kind::logistic: {
      const double margin = y * f;
      const double e = std::exp(-std::abs(margin));
      return -y * (margin > 0 ? e : 1.0) / (1 + e);
    }
    case Kind::hinge:
      return y * f < 1 ? -y : 0.0;
    case Kind::huber:
      return std::clamp(f - y, -delta_, delta_);
  }
  return 0;
}

std::optional<double> Loss::second_derivative(double f, double y) const {
  switch (kind_) {
    case Kind::squared:
      return 2;
    case Kind::logistic: {
      const double e = std::exp(-std::abs(y * f));
      return y * y * e / ((1 + e) * (1 + e));
    }
    case Kind::hinge:
      return std::nullopt;
    case Kind::huber:
      return std::abs(f - y) <= delta_ ? 1.0 : 0.0;
  }
  return std::nullopt;
}

double Loss::lipschitz(double largest_f, double largest_y) const {
  switch (kind_) {
    case Kind::squared:
      return 2 * (largest_f + largest_y);
    case Kind::logistic:
      // |y|/(1+e^{yf}) is largest at yf = −|y|F.
      return largest_y / (1 + std::exp(-largest_f * largest_y));
    case Kind::hinge:
      return largest_y;
    case Kind::huber:
      return std::min(delta_, largest_f + largest_y);
  }
  return 0;
}

std::optional<double> Loss::curvature() const {
  switch (kind_) {
    case Kind::squared:
      return 2;
    case Kind::logistic:
      return 0.25;
    case Kind::hinge:
      return std::nullopt;
    case Kind::huber:
      return 1;
  }
  return std::nullopt;
}

double Loss::best_constant(Index rows, const double* y, const double* weights) const {
  const auto weight = [&](Index i) { return weights == nullptr ? 1.0 : weights[i]; };
  if (kind_ == Kind::squared) {
    double sum = 0;
    double total = 0;
    for (Index i = 0; i < rows; ++i) {
      sum += weight(i) * y[i];
      total += weight(i);
    }
    return total > 0 ? sum / total : 0;
  }
  const auto [smallest, largest] = std::minmax_element(y, y + rows);
  double low = kind_ == Kind::logistic ? -20 : *smallest;
  double high = kind_ == Kind::logistic ? 20 : *largest;
  // The summed derivative never decreases in f: bisection needs nothing more, whatever its corners and flats.
  for (int k = 0; k < 60 && low < high; ++k) {
    const double middle = (low + high) / 2;
    double slope = 0;
    for (Index i = 0; i < rows; ++i) slope += weight(i) * derivative(middle, y[i]);
    (slope < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace weft::detail
