// Convex losses ℓ(f, y) of the iterative fits. Classes are coded y = ±1.
#pragma once

#include <weft/encoder.hpp>

#include <optional>

namespace weft::detail {

/// squared (f−y)², logistic log(1+e^{−yf}), hinge max(0, 1−yf), huber r²/2 for |r| ≤ δ and δ(|r|−δ/2) beyond, r = f−y.
class Loss {
 public:
  enum class Kind { squared, logistic, hinge, huber };
  friend constexpr auto choice_names(Kind) { return std::array{"squared", "logistic", "hinge", "huber"}; }

  explicit Loss(Kind kind, double delta = 1) : kind_(kind), delta_(delta) {}
  /// Throws where the task has no ±1 classes and the loss needs them.
  static Loss for_task(Kind kind, double delta, Task task);

  Kind kind() const { return kind_; }
  const char* name() const { return name_of(kind_); }

  double value(double f, double y) const;
  /// dℓ/df; hinge: a subgradient, 0 at the corner.
  double derivative(double f, double y) const;
  /// d²ℓ/df²; nullopt for hinge, where it is 0 almost everywhere. Huber's is 1 inside |r| ≤ δ and 0 outside.
  std::optional<double> second_derivative(double f, double y) const;
  /// sup |dℓ/df| over |f| ≤ largest_f and |y| ≤ largest_y.
  double lipschitz(double largest_f, double largest_y) const;
  /// sup d²ℓ/df²; nullopt for hinge.
  std::optional<double> curvature() const;
  /// The constant f that minimises Σ w_i ℓ(f, y_i); `weights` may be null. Where it would be infinite (logistic with
  /// one class only), ±20.
  double best_constant(Index rows, const double* y, const double* weights) const;

 private:
  Kind kind_;
  double delta_;
};

}  // namespace weft::detail
