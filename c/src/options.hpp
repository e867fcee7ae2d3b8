// Options as texts "name=value".
#pragma once

#include <weft/data.hpp>
#include <weft/fit.hpp>
#include <weft/run.hpp>

#include <string>
#include <vector>

namespace weft::c {

struct TrainOptions {
  ReadOptions read;  ///< weights and the rule of held-out rows
  FamilyOptions family;
  FitOptions fit{.method = PortfolioOptions{}};
  EncodeOptions encode;
  RunOptions run;
};

/// Checked; throws Error(option) for a text that is no option, and for a value that the option does not take.
TrainOptions train_options(const std::vector<std::string>& texts);

}  // namespace weft::c
