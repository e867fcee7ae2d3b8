#pragma once

#include <weft/learned_activation.hpp>
#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

enum class LearnedLoss { automatic, squared, logistic };
constexpr auto choice_names(LearnedLoss) {
  return std::array{"auto", "squared", "logistic"};
}

/// What the size of an activation is: the mean square of its features and its roughness, or ‖a‖₂ of its coefficients
/// (Ma et al. 2025).
enum class ActivationNorm { features, coefficients };
constexpr auto choice_names(ActivationNorm) {
  return std::array{"features", "coefficients"};
}

/// What is minimised: the loss with λ times the sizes of activation and weights; or the loss alone, both having one
/// size (Ma et al. 2025, eq. 8: λ₀(‖a‖² − ‖V‖²)² is 0 then, whatever λ₀ is).
enum class LearnedObjective { penalised, balanced };
constexpr auto choice_names(LearnedObjective) {
  return std::array{"penalised", "balanced"};
}

struct LearnedActivationOptions {
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<LearnedLoss> loss = default_value(LearnedLoss::automatic);
  Setting<double> tolerance = default_value(1e-6);
  Setting<Index> iterations = default_value(0);
  Setting<ActivationBasis::Kind> basis = default_value(ActivationBasis::Kind::bspline);
  Setting<Index> grid_points = default_value(32);
  Setting<std::string> grid_range = default_value("auto");
  std::optional<double> basis_width = {};
  Setting<Index> degree = default_value(3);
  Setting<double> smoothness = default_value(10);
  Setting<ActivationNorm> activation_norm = default_value(ActivationNorm::features);
  Setting<double> activation_radius = default_value(1);
  Setting<LearnedObjective> objective = default_value(LearnedObjective::penalised);
  Setting<LearnedObjective> pool_objective = default_value(LearnedObjective::penalised);
  Setting<Index> starts = default_value(1);

  static auto fields() {
    using O = LearnedActivationOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer),
        Field{"loss", &O::loss, "loss of the fit; auto: squared, or logistic for classes"},
        shared_options::tolerance(&O::tolerance),
        shared_options::iterations(&O::iterations),
        Field{"basis", &O::basis, "basis of the learned activation: Gaussian bumps or B-splines"},
        Field{"grid_points", &O::grid_points, Allowed::at_least(2),
              "number of basis functions of the learned activation"},
        Field{"grid_range", &O::grid_range, Allowed::anything(),
              "interval LOW:HIGH covered by the basis; auto: from the projections of the rows"},
        Field{"basis_width", &O::basis_width, Allowed::positive(),
              "width of the Gaussian bumps; not given: the distance between grid points"},
        Field{"degree", &O::degree, Allowed::between(1, 5), "degree of the B-splines"},
        Field{"smoothness", &O::smoothness, Allowed::at_least(0),
              "weight of the second differences in the penalty on the learned activation's coefficients"},
        Field{
            "activation_norm", &O::activation_norm,
            "size of the activation in the penalty: features, their mean square and the second differences; "
            "coefficients, their sum of squares, which with ‹activation_radius› R is the constraint |a| <= R of Ma et "
            "al. 2025, eqs. 5 to 7"},
        Field{"activation_radius", &O::activation_radius, Allowed::positive(),
              "largest size of the activation; lambda is divided by its square"},
        Field{"objective", &O::objective,
              "what is minimised: penalised, the loss with lambda times the sizes of activation and weights; balanced, "
              "the loss alone, both having one size, which is Ma et al. 2025, eq. 8, for every lambda_0"},
        Field{"pool_objective", &O::pool_objective,
              "the same for the activation by which ‹sampling› scores candidates; Ma et al. 2025 have balanced"},
        Field{"starts", &O::starts, Allowed::at_least(1),
              "number of starting activations, the family's own and random ones; the best result is kept"},
    };
  }
};

}  // namespace weft
