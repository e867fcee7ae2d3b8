// Evaluation of predictions that need not come from one table.
#pragma once

#include <weft/model.hpp>

#include <functional>
#include <string>

namespace weft::detail {

/// Hands over blocks of predictions with their targets, in the order of the rows.
using PredictionStream = std::function<void(const std::function<void(const PredictionBlock&)>& consume)>;

/// `name` is that of the rows in messages.
Evaluation evaluate_stream(const Model& model, const PredictionStream& predictions, const std::string& name,
                           const PredictOptions& options, const Run& run);

}  // namespace weft::detail
