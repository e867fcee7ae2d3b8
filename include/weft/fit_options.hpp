// The options of a fit: those common to all methods, and those of the chosen method.
#pragma once

#include <weft/encoder.hpp>
#include <weft/methods.hpp>

namespace WEFT_PUBLIC weft {

/// The options common to all methods, and those of the chosen method.
struct FitOptions {
  MethodOptions method = LeastSquaresOptions{};
  std::optional<double> lambda = {};
  Setting<double> lambda_holdout = default_value(0.2);
  Setting<bool> intercept = default_value(true);
  Setting<ClassWeighting> class_weights = default_value(ClassWeighting::none);
  Setting<bool> intervals = default_value(false);

  /// The options of one method; throws std::bad_variant_access if another one is chosen.
  template <class Own>
  const Own& own() const {
    return std::get<Own>(method);
  }

  /// The same for modification; chooses the method, with its defaults, if it is not chosen yet.
  template <class Own>
  Own& use() {
    if (!std::holds_alternative<Own>(method)) method = Own{};
    return std::get<Own>(method);
  }

  static auto fields() {
    using O = FitOptions;
    return std::tuple{
        Field{"lambda", &O::lambda, Allowed::positive(),
              "regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out)"},
        Field{"lambda_holdout", &O::lambda_holdout, Allowed::inside(0, 1),
              "fraction of the rows held out to choose lambda; the final fit uses all rows"},
        Field{"intercept", &O::intercept, Allowed::anything(), "fit an intercept that is not penalised"},
        Field{"class_weights", &O::class_weights,
              "balanced: every class has the same total weight, whatever its number of rows"},
        Field{"intervals", &O::intervals, Allowed::anything(),
              "also fit four fifths of the rows and score the others, for intervals of predictions, where the method "
              "does not predict rows without them anyway (docs/intervals.md)"},
    };
  }
};

/// Calls visit(field, member) for every option: the common ones, then those of the chosen method.
template <class Options, class Visit>
void for_each_fit_field(Options& options, Visit&& visit) {
  for_each_field<FitOptions>([&](const auto& field) { visit(field, options.*field.member); });
  for_each_own_field(options.method, visit);
}

/// Also those of its method.
void check_options(const FitOptions& options);

}  // namespace weft
