#include "sampling/sample_map.hpp"

#include "features/draws.hpp"

#include <numeric>

namespace weft::detail {

std::vector<double> candidate_scores(const FeatureMap& candidates, const FamilyOptions& options,
                                     const SamplingRows& rows, const Run& run) {
  if (!by_leverage(options.sampling)) return candidate_alignments(candidates, rows.labelled, options, run);
  return leverage_scores(candidate_gram(candidates, rows.inputs, options, run),
                         options.sampling_lambda.value_or(1 / static_cast<double>(rows.inputs.rows())),
                         run.thread_count());
}

Index chosen_count(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom) {
  const std::vector<Index> sizes = part_sizes(options, inputs, custom);
  return std::accumulate(sizes.begin(), sizes.end(), Index{0});
}

FeatureMap draw_candidates(const FamilyOptions& options, const Inputs& inputs, const Run& run,
                           const ActivationPtr& custom) {
  return draw_candidates(options, inputs, by_leverage(options.sampling) ? kLeverageMatrices : 0, run, custom);
}

FeatureMap sample_map(const FamilyOptions& options, const Inputs& inputs, const SamplingRows& rows, const Run& run,
                      const ActivationPtr& custom) {
  if (!samples_from_data(options.sampling)) return FeatureMap::draw(options, inputs, custom);
  const FeatureMap candidates = draw_candidates(options, inputs, run, custom);
  const ChosenFeatures choice = choose_candidates(candidate_scores(candidates, options, rows, run),
                                                  chosen_count(options, inputs, custom), options);
  return candidates.subset(choice.positions, choice.scales);
}

}  // namespace weft::detail

namespace weft {

ChosenFeatures choose_candidates(const std::vector<double>& scores, Index count, const FamilyOptions& options) {
  if (options.sampling == Sampling::leverage)
    return options.replacement ? detail::draw_with_replacement(scores, count, options.seed)
                               : detail::draw_distinct(scores, count, options.seed);
  if (options.sampling == Sampling::lkrf) return detail::take_aligned(scores, count, options.sampling_rho);
  return detail::take_top(scores, count);
}

}  // namespace weft
