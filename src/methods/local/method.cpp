#include "methods/method.hpp"
#include "core/memory.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/local/local.hpp"
#include "methods/local/member_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

void check(const FitOptions& options, const FamilyOptions& family) {
  const auto& own = options.own<LocalOptions>();
  const Kernel::Kind kind = Kernel::parse_kind(own.kernel);
  const auto refuse = [](const char* field, const char* why, const char* hint) {
    throw Error(ErrorKind::option, why, option_mark(field), hint);
  };
  if (!Kernel::has_bandwidth(kind))
    refuse("kernel", "local models need a kernel of distances", "use laplace, laplace-l2 or rbf");
  local_bandwidth(own);
  if (own.exponent.given() && !Kernel::has_exponent(kind))
    refuse("exponent", "the kernel rbf has none", "leave it out");
  if (own.exponent > 1 && kind == Kernel::Kind::laplace)
    refuse("exponent", "the l1 kernel is positive definite up to exponent 1", "use ‹kernel› laplace-l2");
  refuse_family(family, "local models use kernels, not random features", "leave it out, or use ‹fit› least-squares");
}

/// Rows (all, split, transformed and copied, one set per tree), and in every thread the kernel matrix of a leaf.
double check_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const auto& own = options.own<LocalOptions>();
  MemoryPlan plan(run);
  const Index leaf = std::min(size.rows, *own.leaf);
  const double copies = 4 + static_cast<double>(*own.trees) * (1 + own.overlap);
  plan.hold("rows", copies * static_cast<double>(size.rows) * static_cast<double>(size.inputs));
  plan.hold("kernel matrices of leaves", leaf_numbers(size.rows, leaf, run));
  plan.hold("sums of landmarks", 3 * static_cast<double>(*own.global) * static_cast<double>(*own.global));
  plan.check(fmt::format("{} rows and leaves of {}", size.rows, leaf), "‹leaf›",
             "use smaller leaves, or fewer threads");
  return plan.left();
}

}  // namespace

std::optional<double> local_bandwidth(const LocalOptions& options) {
  return bandwidth_number(options.bandwidth, {"auto"});
}

const Method& local_method() {
  static const Method row{
      .name = "local",
      .help = "kernel ridge regression in the leaves of trees, with learned relevance of the inputs",
      .options = LocalOptions{},
      .run = fit_local,
      .loss = squared_loss,
      .check_memory = check_memory,
      .check = check,
      .kernel_machine = true,
      .make_map = no_features,
      .shares_work = true,
      .validated_by = [](const FitOptions&, Index) { return ValidatedBy::itself; },
  };
  return row;
}

}  // namespace weft::detail
