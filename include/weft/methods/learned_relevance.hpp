#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct LearnedRelevanceOptions {
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<Index> relevance = default_value(3);

  static auto fields() {
    using O = LearnedRelevanceOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer),
        Field{"relevance", &O::relevance, Allowed::at_least(0),
              "rounds in which the relevance of the inputs is learned; the best round is kept"},
    };
  }
};

}  // namespace weft
