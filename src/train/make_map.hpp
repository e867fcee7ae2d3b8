// The features of a fit: drawn, chosen among candidates by what the rows say, or kernel sections at rows.
#pragma once

#include "sampling/landmarks.hpp"
#include "sampling/sample_map.hpp"

namespace weft::detail {

FittedMap make_map(const FamilyOptions& family, const FitOptions& options, const Inputs& inputs,
                   const SamplingRows& rows, Task task, const Run& run, const ActivationPtr& custom = nullptr);

}  // namespace weft::detail
