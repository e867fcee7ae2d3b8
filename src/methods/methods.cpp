// The table of methods, and what is the same for all of them.
#include "core/memory.hpp"
#include "features/draws.hpp"
#include "methods/method.hpp"

#include <algorithm>
#include <limits>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

/// T before anything is drawn: the counts of a union add up where each is given.
double feature_count(const FamilyOptions& family, const ActivationPtr& custom) {
  double named = 0;
  for (const FamilyPart& part : parse_family(family.family, custom)) {
    if (part.features == 0) return static_cast<double>(family.features);
    named += static_cast<double>(part.features);
  }
  return named;
}

}  // namespace

const std::vector<const Method*>& methods() {
  static const std::vector<const Method*> rows = {
      &least_squares_method(),
      &lasso_method(),
      &functional_gradient_method(),
      &optimal_step_method(),
      &logistic_method(),
      &kernel_ridge_method(),
      &learned_activation_method(),
      &learned_relevance_method(),
      &local_method(),
      &portfolio_method(),
      &newton_method(),
      &kernel_newton_method(),
  };
  return rows;
}

const Method& method_of(const FitOptions& options) {
  return *methods()[options.method.index()];
}

}  // namespace weft::detail

namespace weft {

using namespace detail;

const std::vector<MethodRow>& method_table() {
  static const std::vector<MethodRow> table = [] {
    std::vector<MethodRow> rows;
    for (const Method* method : methods())
      rows.push_back({method->name, method->help, method->options, method->batches});
    return rows;
  }();
  return table;
}

const std::string& method_name(const MethodOptions& options) {
  return method_table()[options.index()].name;
}

MethodOptions method_options(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodRow& row : method_table()) {
    if (row.name == name) return row.options;
    names.push_back(row.name);
  }
  throw Error(ErrorKind::option, fmt::format("'{}' is not a method", name), "‹fit›",
              fmt::format("it must be one of {}", fmt::join(names, ", ")));
}

std::vector<std::string> methods_with(const std::string& option) {
  std::vector<std::string> names;
  for (const MethodRow& row : method_table())
    for_each_own_field(row.options, [&](const auto& field, const auto&) {
      if (field.name == option) names.push_back(row.name);
    });
  return names;
}

void throw_not_used(const std::string& method, const std::string& option) {
  throw Error(ErrorKind::option, fmt::format("‹fit› {} does not use it", method), option_mark(option),
              fmt::format("leave it out, or use ‹fit› {}", fmt::join(methods_with(option), " or ")));
}

void check_options(const FitOptions& options) {
  for_each_fit_field(options,
                     [](const auto& field, const auto& member) { check_value(field.name, member, field.allowed); });
}

}  // namespace weft

namespace weft::detail {

void check_fit_options(const FitOptions& options, const FamilyOptions& family) {
  check_options(options);
  check_options(family);
  check_sampling_options(family);
  if (const auto check = method_of(options).check) check(options, family);
  if (own_value<bool>(options.method, "resume") == true && own_value<std::string>(options.method, "checkpoint") == "")
    throw Error(ErrorKind::option, "there is nothing to resume from", "‹resume›", "name the file with ‹checkpoint›");
}

FamilyOptions resolve_family(const FitOptions& options, const FamilyOptions& family, const Inputs& inputs,
                             const ActivationPtr& custom) {
  const Method& method = method_of(options);
  if (method.kernel_machine) return family;
  FamilyOptions resolved = family;
  if (family.family == "auto") resolved.family = method.automatic_family;
  resolved = resolve_family(std::move(resolved), inputs.variables());
  if (method.check_family != nullptr) method.check_family(parse_family(resolved.family, custom));
  return resolved;
}

FittedMap make_map(const MapRequest& request) {
  if (const auto make = method_of(request.options).make_map) return make(request);
  return {sample_map(request.family, request.inputs, request.rows, request.run, request.custom)};
}

double check_memory(const FitOptions& options, const FamilyOptions& family, ProblemSize size, const Run& run,
                    const ActivationPtr& custom) {
  const Method& method = method_of(options);
  if (!method.kernel_machine) size.features = feature_count(family, custom);
  return method.check_memory(options, size, run);
}

double check_sums_memory(double square_matrices, const ProblemSize& size, const Run& run) {
  const auto plan = [&](double features) {
    MemoryPlan result(run);
    result.hold("square matrices of the features", square_matrices * features * features);
    result.hold("centres", static_cast<double>(size.inputs) * features);
    if (square_matrices > 0) result.hold("a block of features", static_cast<double>(kBlockRows) * features);
    return result;
  };
  const MemoryPlan needed = plan(size.features);
  if (needed.fits()) return needed.left();
  const Index most = largest_that_fits(static_cast<Index>(size.features), 1,
                                       [&](Index count) { return plan(static_cast<double>(count)).fits(); });
  needed.check(fmt::format("{:.0f} features", size.features), "‹features›", fmt::format("at most {} fit", most));
  return 0;
}

void refuse_family(const FamilyOptions& family, const std::string& why, const std::string& hint) {
  for_each_field<FamilyOptions>([&](const auto& field) {
    if (std::string(field.name) != "seed" && is_given(family.*field.member))
      throw Error(ErrorKind::option, why, option_mark(field.name), hint);
  });
}

FittedMap no_features(const MapRequest& request) {
  return {FeatureMap::from_parts({}, request.inputs)};
}

Loss squared_loss(const FitOptions&, Task) {
  return Loss(Loss::Kind::squared);
}

}  // namespace weft::detail
