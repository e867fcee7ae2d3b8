#include "methods/method.hpp"
#include "core/memory.hpp"
#include "features/draws.hpp"
#include "methods/learned_relevance/learned_relevance.hpp"

#include <fmt/format.h>

namespace weft::detail {

namespace {

void check(const FitOptions&, const FamilyOptions& family) {
  if (samples_from_data(family.sampling))
    throw Error(ErrorKind::option, "features are drawn again in every round of relevance", "‹sampling›",
                "use plain, orthogonal, structured, halton or sobol, or ‹fit› least-squares");
}

/// Rows (all, split and copied); sums of the rows that are fitted and of those that are held out, and a factor.
double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  MemoryPlan plan(run);
  plan.hold("rows", 3 * static_cast<double>(size.rows) * static_cast<double>(size.inputs));
  plan.hold("square matrices of the features", 5 * size.features * size.features);
  plan.check(fmt::format("{} rows in memory and {:.0f} features", size.rows, size.features), "‹fit›",
             "use fewer ‹features›, or ‹fit› least-squares, which reads the rows in blocks");
  return plan.left();
}

}  // namespace

const Method& learned_relevance_method() {
  static const Method row{
      .name = "learned-relevance",
      .help = "least squares on random features that see the inputs scaled, and draw variables, by learned relevance",
      .options = LearnedRelevanceOptions{},
      .run = fit_learned_relevance,
      .loss = squared_loss,
      .check_memory = check_memory,
      .check = check,
      .make_map = no_features,
      .validated_by = [](const FitOptions&, Index) { return ValidatedBy::itself; },
  };
  return row;
}

}  // namespace weft::detail
