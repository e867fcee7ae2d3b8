// A model as it is served: prepared once, used by many requests at a time.
#pragma once

#include <weft/explanation.hpp>
#include <weft/row_predictor.hpp>
#include <weft/serve.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "serve/input_columns.hpp"
#include "serve/json_rows.hpp"

namespace weft::detail {

class ServedModel {
 public:
  ServedModel(Model loaded, const ServeRequest& request, const Run& run);

  const Model model;
  const std::string id;  ///< content_id()
  const std::vector<InputColumn> inputs;
  const RowColumns columns;
  const PredictOptions options;  ///< where a request does not say
  const RowPredictor predictor;
  const RowExplainer explainer;
  const std::vector<std::string> values;   ///< names of what is predicted, as JSON strings
  const std::vector<std::string> classes;  ///< likewise
  const std::chrono::system_clock::time_point loaded_at;

  bool is_classification() const { return model.target().task != Task::regression; }
  /// What /model answers: the form of a row, and what is predicted.
  std::string description(const ServeRequest& request) const;
};

}  // namespace weft::detail
