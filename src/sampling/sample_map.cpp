#include "sampling/sample_map.hpp"

#include "features/draws.hpp"
#include "sampling/choose.hpp"

#include <numeric>

namespace weft {

namespace {

Choice choose_by_leverage(const FeatureMap& candidates, Index count, const FamilyOptions& options,
                          const BlockSource& rows, const Run& run) {
  const double lambda = options.sampling_lambda.value_or(1 / static_cast<double>(rows.rows()));
  const Matrix gram = candidate_gram(candidates, rows, options, run);
  const std::vector<double> scores = leverage_scores(gram, lambda, run.thread_count());
  return options.sampling == "leverage" ? resample(scores, count, options.seed) : take_top(scores, count);
}

Choice choose_by_alignment(const FeatureMap& candidates, Index count, const FamilyOptions& options,
                           const SamplingRows& rows, const Run& run) {
  const std::vector<double> squares = candidate_alignments(candidates, rows.labelled, options, run);
  return options.sampling == "eerf" ? take_top(squares, count) : take_aligned(squares, count, options.sampling_rho);
}

}  // namespace

FeatureMap sample_map(const FamilyOptions& options, const Inputs& inputs, const SamplingRows& rows, const Run& run,
                      const ActivationPtr& custom) {
  if (!samples_from_data(options)) return FeatureMap::draw(options, inputs, custom);
  const bool leverage = options.sampling.starts_with("leverage");
  const FeatureMap candidates = draw_candidates(options, inputs, leverage ? kLeverageMatrices : 0, run, custom);
  const std::vector<Index> sizes = part_sizes(options, inputs, custom);
  const Index count = std::accumulate(sizes.begin(), sizes.end(), Index{0});
  const Choice choice = leverage ? choose_by_leverage(candidates, count, options, rows.inputs, run)
                                 : choose_by_alignment(candidates, count, options, rows, run);
  return candidates.subset(choice.positions, choice.scales);
}

}  // namespace weft
