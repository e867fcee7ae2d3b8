// Scores of a classifier to probabilities of its classes.
#pragma once

#include <weft/model.hpp>

namespace weft::detail {

/// Log-odds or logits as they are where `calibration` is empty, else by its sigmoids. `scores` has one number per
/// output, `probabilities` one per class; two classes have one output.
void class_probabilities(const Calibration& calibration, Task task, Index outputs, const double* scores,
                         double* probabilities);

}  // namespace weft::detail
