#include "methods/method.hpp"
#include "methods/portfolio/portfolio.hpp"

namespace weft::detail {

namespace {

void check(const FitOptions& options, const FamilyOptions& family) {
  if (options.lambda)
    throw Error(ErrorKind::option, "a portfolio chooses lambda for every candidate", "‹lambda›",
                "leave it out, or name a method with ‹fit›");
  refuse_family(family, "a portfolio chooses its own random features", "leave it out, or use ‹fit› least-squares");
}

}  // namespace

const Method& portfolio_method() {
  static const Method row{
      .name = "portfolio",
      .help = "the best average of learned kernels, local and global, and of random features",
      .options = PortfolioOptions{},
      .run = fit_portfolio,
      .loss = squared_loss,
      .check_memory = check_portfolio_memory,
      .check = check,
      .kernel_machine = true,
      .make_map = no_features,
      .shares_work = true,
      .validated_by = [](const FitOptions&, Index) { return ValidatedBy::itself; },
  };
  return row;
}

}  // namespace weft::detail
