#include <weft/explanation.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

Json estimate_json(const Estimate& estimate) {
  return {{"value", number_to_json(estimate.value)},
          {"low", number_to_json(estimate.low)},
          {"high", number_to_json(estimate.high)}};
}

Json variable_json(const VariableEffect& variable) {
  Json json = {{"name", text_to_json(variable.name)}, {"effect", estimate_json(variable.effect)}};
  if (variable.loss) json["loss_increase"] = estimate_json(*variable.loss);
  if (variable.relevance) json["relevance"] = number_to_json(*variable.relevance);
  return json;
}

/// A list per column.
Json columns_json(const Matrix& matrix) {
  Json json = Json::array();
  for (Index k = 0; k < matrix.cols(); ++k) {
    Json column = Json::array();
    for (Index i = 0; i < matrix.rows(); ++i) column.push_back(number_to_json(matrix(i, k)));
    json.push_back(std::move(column));
  }
  return json;
}

Json curve_json(const DependenceCurve& curve) {
  Json json = {{"variable", text_to_json(curve.variable)}};
  if (curve.values.empty())
    json["categories"] = texts_to_json(curve.categories);
  else
    json["values"] = numbers_to_json(curve.values);
  json["outputs"] = texts_to_json(curve.outputs);
  json["mean"] = columns_json(curve.mean);
  json["low"] = columns_json(curve.low);
  json["high"] = columns_json(curve.high);
  json["individual"] = {{"rows", curve.rows}, {"values", columns_json(curve.individual)}};
  return json;
}

}  // namespace

std::string Explanation::to_json() const {
  Json json = {{"rows", rows}};
  if (loss_before) json["loss"] = {{"name", loss}, {"value", number_to_json(*loss_before)}};
  json["variables"] = Json::array();
  for (const VariableEffect& variable : variables) json["variables"].push_back(variable_json(variable));
  json["curves_of"] = curves_of;
  json["curves"] = Json::array();
  for (const DependenceCurve& curve : curves) json["curves"].push_back(curve_json(curve));
  json["interactions"] = Json::array();
  for (const Interaction& pair : interactions)
    json["interactions"].push_back({{"variables", {text_to_json(pair.first), text_to_json(pair.second)}},
                                    {"strength", estimate_json(pair.strength)}});
  return json_document(json);
}

std::string RowExplanation::to_json() const {
  Json json = {{"row", row},
               {"outputs", texts_to_json(outputs)},
               {"base", numbers_to_json(base)},
               {"prediction", numbers_to_json(prediction)},
               {"exact", exact},
               {"variables", Json::array()}};
  for (const Part& part : parts)
    json["variables"].push_back({{"name", text_to_json(part.variable)},
                                 {"cell", text_to_json(part.cell)},
                                 {"value", numbers_to_json(part.value)},
                                 {"standard_error", numbers_to_json(part.standard_error)}});
  return json_document(json);
}

}  // namespace weft
