#pragma once

#include <weft/methods/shared_options.hpp>
#include <weft/objective.hpp>

namespace WEFT_PUBLIC weft {

enum class Effort { quick, thorough };
constexpr auto choice_names(Effort) {
  return std::array{"quick", "thorough"};
}

struct PortfolioOptions {
  Setting<Effort> effort = default_value(Effort::quick);
  Setting<Metric> metric = default_value(Metric::automatic);
  Setting<bool> single = default_value(false);
  Setting<Index> relevance = default_value(-1);
  Setting<Index> leaf = default_value(0);
  Setting<Index> landmarks = default_value(0);

  static auto fields() {
    using O = PortfolioOptions;
    return std::tuple{
        Field{"effort", &O::effort,
              "quick: two kernels, 5 to 15 seconds on two cores for 40,000 rows; thorough: more kernels and landmarks, "
              "random features, larger leaves, as ‹max_time› allows"},
        Field{"metric", &O::metric,
              "metric by which candidates are averaged, on held-out rows; auto: the mean squared error of the scores"},
        Field{"single", &O::single, Allowed::anything(), "keep the best candidate instead of an average of several"},
        Field{"relevance", &O::relevance, Allowed::at_least(-1),
              "rounds in which the relevance of the inputs is learned; 0: none; -1: as the effort says"},
        Field{"leaf", &O::leaf, Allowed::at_least(0), "most rows of a leaf of a local model; 0: as the effort says"},
        Field{"landmarks", &O::landmarks, Allowed::at_least(0), "landmarks of a global model; 0: as the effort says"},
    };
  }
};

}  // namespace weft
