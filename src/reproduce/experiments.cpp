#include "reproduce/experiment.hpp"

namespace weft {

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all = {
      elss_figure_2(),
  };
  return all;
}

}  // namespace weft
