// Tables whose target column is standardised, as the papers do before they fit without an intercept.
#pragma once

#include <weft/data.hpp>

namespace weft::papers {

struct TargetScale {
  double mean = 0;
  double deviation = 1;
};

/// Mean and standard deviation of the column "target".
TargetScale target_scale(const Data& data);

/// (target − mean)/deviation in place of the target.
Data with_scaled_target(const Data& data, const TargetScale& scale);

}  // namespace weft::papers
