#include "serve/served_model.hpp"

#include <weft/content_id.hpp>
#include <weft/version.hpp>

#include "core/json_text.hpp"
#include "serve/answer.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

RowColumns row_columns(const Model& model, const std::vector<InputColumn>& inputs) {
  std::vector<std::string> names;
  std::vector<CellRule> rules;
  for (const InputColumn& input : inputs) {
    const std::string_view kind = input.kind;
    names.push_back(input.name);
    rules.push_back(kind == "number" ? CellRule::number : kind == "unused" ? CellRule::unused : CellRule::text);
  }
  return {std::move(names), std::move(rules), model.read_options().na_values};
}

/// Rows to compare with: a table's, or one of typical cells.
Data background_of(const Model& model, const std::vector<InputColumn>& inputs, const ServeRequest& request) {
  if (request.options.background.empty()) return typical_row(inputs);
  if (request.read_background) return request.read_background(model, request.options.background);
  return read(request.options.background, model.read_options());
}

std::vector<std::string> json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(json_string(text));
  return result;
}

Json input_json(const InputColumn& input) {
  Json json = {{"name", input.name}, {"kind", input.kind}, {"typical", input.typical}};
  if (input.low && std::isfinite(*input.low) && std::isfinite(*input.high)) {
    json["low"] = *input.low;
    json["high"] = *input.high;
  }
  if (input.whole) json["whole"] = true;
  if (!input.categories.empty()) json["categories"] = input.categories;
  if (input.relevance) json["relevance"] = number_to_json(*input.relevance);
  return json;
}

bool gives_intervals(const Model& model, const PredictOptions& options) {
  return (options.conformity || !model.parts().conformity.empty()) && !model.parts().loss.is_quantile() &&
         (model.target().task == Task::regression || model.has_probabilities());
}

}  // namespace

ServedModel::ServedModel(Model loaded, const ServeRequest& request, const Run& run)
    : model(std::move(loaded)),
      id(content_id(model)),
      inputs(input_columns(model)),
      columns(row_columns(model, inputs)),
      options(request.predict ? request.predict(model) : PredictOptions{}),
      predictor(model, options.decision),
      explainer(model, background_of(model, inputs, request), {}, run),
      values(json_strings(model.value_names())),
      classes(json_strings(model.target().classes)),
      loaded_at(std::chrono::system_clock::now()) {
  if (model.target().task == Task::none)
    throw Error(ErrorKind::model, "this model has no target to predict", {}, "train one with ‹target›");
}

std::string ServedModel::description(const ServeRequest& request) const {
  Json json = {{"id", id},
               {"task", task_name(model.target().task)},
               {"predicts", model.value_names()},
               {"classes", model.target().classes},
               {"probabilities", model.has_probabilities()},
               {"intervals", gives_intervals(model, options)},
               {"interval", options.intervals.interval ? Json(*options.intervals.interval) : Json(nullptr)},
               {"background_rows", request.options.background.empty() ? 0 : explainer.background_rows()},
               {"inputs", Json::array()}};
  for (const InputColumn& input : inputs) json["inputs"].push_back(input_json(input));
  json["limits"] = {{"bytes", static_cast<std::uint64_t>(request.options.max_body * 1048576)},
                    {"rows", request.options.max_rows},
                    {"seconds", request.options.max_time}};
  json["weft"] = weft::version();
  return json_document(json) + "\n";
}

}  // namespace weft::detail
