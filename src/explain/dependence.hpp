// Predictions as a function of one variable.
#pragma once

#include <weft/explanation.hpp>

#include "explain/row_sample.hpp"

namespace weft::detail {

/// What curves show: numbers, probabilities where the model has them, scores else.
std::string curves_of(const ModelParts& parts);

/// The grid are values of the rows themselves: quantiles of a number, the most frequent categories.
DependenceCurve dependence_curve(const ModelParts& parts, const RowSample& sample, Index variable, const Cells& cells,
                                 Index points, const Run& run);

/// The variables whose values are categories, be they written as numbers.
std::vector<std::string> categorical_variables(const Encoder& encoder);

/// What a model's outputs are: targets, or classes; of two classes the second.
std::vector<std::string> output_names(const ModelParts& parts);

}  // namespace weft::detail
