#include "methods/method.hpp"
#include "core/memory.hpp"
#include "methods/portfolio/portfolio.hpp"

namespace weft::detail {

namespace {

/// Rows three times (all, split, transformed), kernel values and factors of the leaves in work, sums of the landmarks.
double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  MemoryPlan plan(run);
  const auto rows = static_cast<double>(size.rows);
  plan.hold("rows", 4 * rows * static_cast<double>(size.inputs));
  plan.hold("kernel matrices", 8 * 4000.0 * 4000.0);
  plan.check(fmt::format("{} rows in memory", size.rows), "‹fit›",
             "use ‹fit› least-squares, which reads them in blocks");
  return plan.left();
}

void check(const FitOptions& options, const FamilyOptions& family) {
  if (options.lambda)
    throw Error(ErrorKind::option, "a portfolio chooses lambda for every candidate", "‹lambda›",
                "leave it out, or name a method with ‹fit›");
  for_each_field<FamilyOptions>([&](const auto& field) {
    if (std::string(field.name) != "seed" && is_given(family.*field.member))
      throw Error(ErrorKind::option, "a portfolio uses kernels, not random features", option_mark(field.name),
                  "leave it out, or use ‹fit› least-squares");
  });
}

FittedMap no_map(const MapRequest& request) {
  return {FeatureMap::from_parts({}, request.inputs)};
}

}  // namespace

const Method& portfolio_method() {
  static const Method row{
      .name = "portfolio",
      .help = "the best average of learned kernels, local and global",
      .options = PortfolioOptions{},
      .run = fit_portfolio,
      .loss = squared_loss,
      .check_memory = check_memory,
      .check = check,
      .kernel_machine = true,
      .make_map = no_map,
  };
  return row;
}

}  // namespace weft::detail
