// The stochastic gradient descent by which Ma et al. 2025 (Appendix G) learn an activation with the weights, to
// compare the library's exact solves with: f(x) = c + Σ_m v_m s_m h(⟨w_m, x⟩), h(z) = Σ_i a_i B_i(z). Descended is
//
//   mean loss + λS‖V‖² + λ₀(‖a‖² − ‖V‖²)²    subject to ‖a‖ ≤ R,
//
// their eqs. 5 to 7 with λ₀ = 0 and their eq. 8 with λ = 0 and no R.
#pragma once

#include <weft/learned_activation.hpp>
#include <weft/model.hpp>

#include "rows.hpp"

#include <optional>

namespace weft::papers {

struct SgdOptions {
  ActivationBasis::Kind basis = ActivationBasis::Kind::bspline;
  Index grid_points = 32;  ///< N
  Index epochs = 50;
  Index batch = 100;
  double learning_rate = 1e-3;
  double lambda = 0;                  ///< λ
  double balance = 0;                 ///< λ₀
  std::optional<double> radius = {};  ///< R; after every step a is projected to that ball
  std::uint64_t seed = 1;
};

/// `map` is of one family without a weight kernel (w_m its centres, s_m their scales); its activation is where learning
/// starts. Squared loss for numbers, logistic (softmax) for classes. Throws where the descent diverges.
Model descend_stochastically(const Encoder& encoder, const FeatureMap& map, const Rows& rows, const SgdOptions& options,
                             const Run& run);

}  // namespace weft::papers
