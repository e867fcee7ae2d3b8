// The methods that fit a model, and their options. src/methods has one folder for each.
#pragma once

#include <weft/methods/descent.hpp>
#include <weft/methods/kernel_ridge.hpp>
#include <weft/methods/lasso.hpp>
#include <weft/methods/learned_activation.hpp>
#include <weft/methods/learned_relevance.hpp>
#include <weft/methods/least_squares.hpp>
#include <weft/methods/local.hpp>
#include <weft/methods/logistic.hpp>
#include <weft/methods/newton.hpp>
#include <weft/methods/portfolio.hpp>

#include <string>
#include <variant>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The options of one method; the alternative held determines the method. In the order of method_table().
using MethodOptions =
    std::variant<LeastSquaresOptions, LassoOptions, FunctionalGradientOptions, OptimalStepOptions, LogisticOptions,
                 KernelRidgeOptions, LearnedActivationOptions, LearnedRelevanceOptions, LocalOptions, PortfolioOptions,
                 NewtonOptions, KernelNewtonOptions>;

/// Description of a method for help texts and language bindings.
struct MethodRow {
  std::string name;
  std::string help;       ///< one sentence
  MethodOptions options;  ///< their defaults
  bool batches = false;   ///< supports rows in batches: see IncrementalFit
};
const std::vector<MethodRow>& method_table();

const std::string& method_name(const MethodOptions& options);
/// The defaults of the method of this name; throws Error(option) listing the valid names for any other.
MethodOptions method_options(const std::string& name);

/// The methods that have an option of this name.
std::vector<std::string> methods_with(const std::string& option);
/// Throws: this method has no option of that name; the message lists the methods that have it.
[[noreturn]] void throw_not_used(const std::string& method, const std::string& option);

/// Calls visit(field, member) for every option of the method.
template <class Options, class Visit>
void for_each_own_field(Options& options, Visit&& visit) {
  std::visit(
      [&](auto& own) {
        for_each_field<std::remove_cvref_t<decltype(own)>>([&](const auto& field) { visit(field, own.*field.member); });
      },
      options);
}

}  // namespace weft
