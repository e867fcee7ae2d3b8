#include "fit/make_map.hpp"

namespace weft {

FittedMap make_map(const FamilyOptions& family, const FitOptions& options, const Inputs& inputs,
                   const SamplingRows& rows, const Run& run, const ActivationPtr& custom) {
  if (options.fit == "kernel-ridge") return choose_landmarks(rows.labelled, inputs, family, options, run, custom);
  return {sample_map(family, inputs, rows, run, custom)};
}

}  // namespace weft
