#include "train/make_map.hpp"

#include "methods/learned_activation/learned_pool.hpp"

namespace weft::detail {

namespace {

/// Ma et al. 2025, Algorithm 1: candidates are judged with an activation learned for them.
FittedMap choose_learned(const FamilyOptions& family, const FitOptions& options, const Inputs& inputs,
                         const SamplingRows& rows, Task task, const Run& run, const ActivationPtr& custom) {
  ScoredPool pool = score_pool(draw_candidates(family, inputs, run, custom), rows, task, options, family, run);
  FittedMap result{pool.choose(chosen_count(family, inputs, custom), family, run)};
  result.report.warnings = std::move(pool.report.warnings);
  for (std::string& warning : result.report.warnings) warning.insert(0, "pool: ");
  result.report.set("pool", static_cast<double>(pool.candidates.features()));
  if (const std::optional<double> lambda = pool.report.number("lambda")) result.report.set("pool_lambda", *lambda);
  return result;
}

}  // namespace

FittedMap make_map(const FamilyOptions& family, const FitOptions& options, const Inputs& inputs,
                   const SamplingRows& rows, Task task, const Run& run, const ActivationPtr& custom) {
  if (options.fit == "kernel-ridge") return choose_landmarks(rows.labelled, inputs, family, options, run, custom);
  if (options.fit == "learned-activation" && samples_from_data(family))
    return choose_learned(family, options, inputs, rows, task, run, custom);
  return {sample_map(family, inputs, rows, run, custom)};
}

}  // namespace weft::detail
