// The lasso on one working set, in the form  min_a ½ aᵀQa − qᵀa + μ‖a‖₁,  Q dense and small enough to stay in cache.
//
// Coordinate descent is quick while Q is well-conditioned. On a near-singular Q it converges slowly and fills the
// support with columns that repeat each other; there an active-set method takes over (feature-sign search, Lee et al.
// 2007): Newton steps on the support, Q_SS d = g_S − μ sign a_S with an exact search along the piecewise quadratic
// line, until no sign changes, then the worst violators of the optimality conditions join. Every move lowers the
// objective.
#pragma once

#include <weft/matrix.hpp>

#include <span>
#include <vector>

namespace weft::detail {

/// The duality gap of ½‖Φa − y‖² + μ‖a‖₁ at a, from g = Φᵀ(y − Φa) = q − Qa.
struct LassoCertificate {
  double gap = 0;
  double dual_scale = 0;        ///< s: the dual point is s·(y − Φa)
  double squared_residual = 0;  ///< ‖y − Φa‖²
};
LassoCertificate certify_lasso(std::span<const double> a, std::span<const double> g, std::span<const double> q,
                               double yy, double mu);

class WorkingLasso {
 public:
  /// gram: w×w, both triangles; cross: q, w; start: a, w.
  WorkingLasso(Matrix gram, std::vector<double> cross, std::vector<double> start, double yy, double mu);

  void descend();           ///< one pass over the coordinates
  bool newton_step();       ///< true: a coefficient vanished or changed its sign, so another step is due
  void admit(Index count);  ///< moves the `count` worst zero coefficients that should not be zero
  LassoCertificate certify() const { return certify_lasso(a_, g_, q_, yy_, mu_); }
  double objective() const;
  Index support_size() const;
  const std::vector<double>& coefficients() const { return a_; }

 private:
  struct Step {
    double length = 0;
    std::ptrdiff_t vanishes = -1;  // the support's member that becomes zero, if one does
    bool crossed = false;          // some member changed its sign
  };
  std::vector<double> newton_direction(const std::vector<Index>& support) const;
  Step search(const std::vector<Index>& support, const std::vector<double>& direction) const;
  void minimise(std::size_t j);
  void refresh_gradient();

  Matrix gram_;
  std::vector<double> q_, a_, g_;
  double yy_, mu_;
};

}  // namespace weft::detail
