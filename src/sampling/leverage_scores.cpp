#include <weft/leverage.hpp>

#include "core/json_text.hpp"

#include <algorithm>

namespace weft {

using namespace detail;

namespace {

Json scores_to_json(const LeverageScores& scores) {
  const LeverageScores::Histogram bins = scores.histogram();
  return {{"lambda", number_to_json(scores.lambda)},
          {"effective_dimension", number_to_json(scores.effective_dimension)},
          {"max_over_mean", number_to_json(scores.max_over_mean)},
          {"uniformity", number_to_json(scores.uniformity)},
          {"weighted_features", number_to_json(scores.weighted_features)},
          {"plain_features", number_to_json(scores.plain_features)},
          {"elss_features", number_to_json(scores.elss_features)},
          {"elss_rows", number_to_json(scores.elss_rows)},
          {"kernel_error", number_to_json(scores.kernel_error)},
          {"score_error", number_to_json(scores.score_error)},
          {"histogram",
           {{"low", number_to_json(bins.low)}, {"width", number_to_json(bins.width)}, {"counts", bins.counts}}},
          {"scores", numbers_to_json(scores.scores)}};
}

}  // namespace

LeverageScores::Histogram LeverageScores::histogram() const {
  constexpr std::size_t kBins = 20;
  Histogram result{.counts = std::vector<Index>(kBins)};
  if (scores.empty()) return result;
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  result.low = *low;
  result.width = (*high - *low) / kBins;
  for (const double score : scores) {
    const double position = result.width > 0 ? (score - *low) / result.width : 0;
    ++result.counts[std::min(kBins - 1, static_cast<std::size_t>(position))];
  }
  return result;
}

std::string LeverageScores::to_json() const {
  return json_document(scores_to_json(*this));
}

std::string Leverage::to_json() const {
  Json json = {{"candidates", candidates.features()}, {"rows", rows}};
  for (const LeverageScores& scores : by_lambda) json["lambdas"].push_back(scores_to_json(scores));
  return json_document(json);
}

}  // namespace weft
