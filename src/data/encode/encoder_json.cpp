// The fitted encoder as JSON. Numbers are written as the shortest decimal that reads back to the same bits. Schema:
//   { "format": "weft encoder", "version": 1,
//     "options":   { "scale", "missing", "unseen", "task", "bias" },       as EncodeOptions declares them
//     "rows":      rows seen in training,
//     "variables": [ { "name", "fill", "scaler": SCALER },                 a number; "scalers": [SCALER, SCALER] where
//                                                                          its scale is "both"
//                    { "name", "fill", "categories": [TEXT …], "scalers": [SCALER …] } … ],
//                                                                          many categories also have "levels", and
//                                                                          scalers of the frequent ones alone
//     "target":    { "task", "names": [TEXT …], "classes": [TEXT …] } }
//   A number may have "boolean": true (its cells are words), and "dates": { "start", "parts": [NAME …], "fills": […] }:
//   it then has scalers for each part.
//   A variable whose missing cells are indicated also has "missing", their number in training, and "indicator": SCALER;
//   one that was missing in every row has no indicator.
//   "levels" is { "frequent": [position …], "outputs": [TEXT …], "scalers": [SCALER …], "effects": [[number …] …],
//   "by_fold": [[number …] …] }: a scaler and a list of effects per output, a list per fold and output.
//   SCALER is { "shift", "factor" } or { "values": […], "scores": […] } (knots of the rank-to-normal map).
//   TEXT (names too) is a string, or { "hex": "…" } of its bytes where they are not UTF-8, which JSON cannot hold.
#include "data/encode/encoder_json.hpp"

#include <algorithm>
#include <cmath>

#include "data/encode/encoder_state.hpp"
#include "data/encode/options_json.hpp"

namespace weft {

namespace detail {

Json options_json(const EncodeOptions& options) {
  Json json;
  for_each_field<EncodeOptions>([&](const auto& field) { json[field.name] = stored_value(options.*field.member); });
  return json;
}

EncodeOptions options_from(const Json& json) {
  EncodeOptions options;
  for_each_field<EncodeOptions>([&](const auto& field) {
    if (field.name == std::string("max_levels") && !json.contains(field.name)) return;  // of older files
    auto& member = options.*field.member;
    using T = plain_type<std::remove_cvref_t<decltype(member)>>;
    if constexpr (Choice<T>)
      member = parse_choice<T>(field.name, json.at(field.name).template get<std::string>());
    else
      member = json.at(field.name).template get<T>();
  });
  return options;
}

}  // namespace detail

using namespace detail;

namespace {

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error(ErrorKind::model, "the encoder cannot be read: " + what, {}, "train the model again");
}

void require(bool condition, const char* what) {
  if (!condition) throw_damaged(what);
}

std::vector<std::string> texts_from(const Json& json) {
  require(json.is_array(), "a list is missing");
  return texts_from_json(json);
}

double number_from(const Json& json) {
  const double value = json.get<double>();
  require(json.is_number() && std::isfinite(value), "a number is not finite");
  return value;
}

std::vector<double> numbers_from(const Json& json) {
  require(json.is_array(), "a list is missing");
  std::vector<double> values;
  for (const Json& value : json) values.push_back(number_from(value));
  return values;
}

Json scaler_json(const Scaler& scaler) {
  if (scaler.values().empty()) return {{"shift", scaler.shift()}, {"factor", scaler.factor()}};
  return {{"values", scaler.values()}, {"scores", scaler.scores()}};
}

Scaler scaler_from(const Json& json) {
  if (!json.contains("values")) return {number_from(json.at("shift")), number_from(json.at("factor"))};
  std::vector<double> values = numbers_from(json.at("values"));
  std::vector<double> scores = numbers_from(json.at("scores"));
  require(!values.empty() && values.size() == scores.size(), "the numbers of knots and scores differ");
  require(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end() &&
              std::is_sorted(scores.begin(), scores.end()),
          "knots are out of order");
  return {std::move(values), std::move(scores)};
}

Json dates_json(const DateParts& dates) {
  Json json = {{"start", dates.start}, {"parts", Json::array()}, {"fills", dates.fills}};
  for (const DatePart part : dates.parts) json["parts"].push_back(name_of(part));
  return json;
}

DateParts dates_from(const Json& json) {
  DateParts dates{.start = number_from(json.at("start"))};
  for (const std::string& name : texts_from(json.at("parts")))
    dates.parts.push_back(parse_choice<DatePart>("parts", name));
  dates.fills = numbers_from(json.at("fills"));
  require(!dates.parts.empty() && dates.parts.size() == dates.fills.size(), "the numbers of parts and fills differ");
  return dates;
}

Json numbers_json(const Matrix& numbers) {
  Json json = Json::array();
  for (Index i = 0; i < numbers.rows(); ++i)
    json.push_back(std::vector<double>(numbers.row(i), numbers.row(i) + numbers.cols()));
  return json;
}

Matrix matrix_from(const Json& json, Index rows, Index cols) {
  require(json.is_array() && static_cast<Index>(json.size()) == rows, "the number of lists of effects");
  Matrix matrix(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    const std::vector<double> numbers = numbers_from(json[static_cast<std::size_t>(i)]);
    require(static_cast<Index>(numbers.size()) == cols, "the numbers of effects and categories differ");
    std::copy(numbers.begin(), numbers.end(), matrix.row(i));
  }
  return matrix;
}

Json levels_json(const ManyLevels& many) {
  Json json = {{"frequent", many.frequent()}, {"outputs", texts_to_json(many.outputs)}, {"scalers", Json::array()}};
  for (const Scaler& scaler : many.scalers) json["scalers"].push_back(scaler_json(scaler));
  json["effects"] = numbers_json(many.effects);
  json["by_fold"] = numbers_json(many.by_fold);
  return json;
}

ManyLevels levels_from(const Json& json, Index levels) {
  std::vector<LevelOutput> outputs;
  for (const std::string& name : texts_from(json.at("outputs"))) outputs.push_back({name});
  const auto frequent = wholes_from_json(json.at("frequent"));
  require(!outputs.empty() && static_cast<Index>(outputs.size()) <= kMostLevelOutputs &&
              std::adjacent_find(frequent.begin(), frequent.end(), std::greater_equal<>()) == frequent.end() &&
              (frequent.empty() || (frequent.front() >= 0 && frequent.back() < levels)),
          "the frequent categories");
  ManyLevels many = ManyLevels::of(levels, frequent, outputs);
  many.effects = matrix_from(json.at("effects"), many.columns(), levels);
  many.by_fold = matrix_from(json.at("by_fold"), kLevelFolds * many.columns(), levels);
  many.scalers.clear();
  for (const Json& scaler : json.at("scalers")) many.scalers.push_back(scaler_from(scaler));
  require(many.scalers.size() == outputs.size(), "the numbers of scalers and effects differ");
  return many;
}

Json variable_json(const Variable& variable) {
  Json json = {{"name", text_to_json(variable.name)}, {"fill", variable.fill}};
  if (variable.missing > 0) json["missing"] = variable.missing;
  if (variable.indicator) json["indicator"] = scaler_json(*variable.indicator);
  if (variable.boolean) json["boolean"] = true;
  if (variable.dates) json["dates"] = dates_json(*variable.dates);
  if (!variable.categorical && variable.scalers.size() == 1) {
    json["scaler"] = scaler_json(variable.scalers.front());
    return json;
  }
  if (variable.categorical) json["categories"] = texts_to_json(variable.categories.labels());
  if (variable.categorical) json["scalers"] = Json::array();
  for (const Scaler& scaler : variable.scalers) json["scalers"].push_back(scaler_json(scaler));
  if (variable.many) json["levels"] = levels_json(*variable.many);
  return json;
}

Categories categories_from(const Json& json) {
  const std::vector<std::string> labels = texts_from(json);
  Categories categories(labels);
  require(categories.labels() == labels, "categories are out of order");
  require(std::adjacent_find(labels.begin(), labels.end()) == labels.end(), "a category appears twice");
  return categories;
}

// `columns`: of a number.
Variable variable_from(const Json& json, std::size_t columns) {
  Variable variable;
  variable.name = text_from_json(json.at("name"));
  variable.fill = number_from(json.at("fill"));
  variable.categorical = json.contains("categories");
  if (json.contains("scaler"))
    variable.scalers = {scaler_from(json.at("scaler"))};
  else
    for (const Json& scaler : json.at("scalers")) variable.scalers.push_back(scaler_from(scaler));
  if (json.contains("indicator")) variable.indicator = scaler_from(json.at("indicator"));
  if (json.contains("missing")) variable.missing = whole_from_json(json.at("missing"));
  require(variable.missing > 0 || !variable.indicator, "missing cells that were never seen");
  if (json.contains("dates")) variable.dates = dates_from(json.at("dates"));
  if (!variable.categorical) {
    variable.boolean = json.contains("boolean") && json.at("boolean").get<bool>();
    require(variable.scalers.size() == columns * (variable.dates ? variable.dates->parts.size() : 1),
            "the number of scalers of a number");
    return variable;
  }
  variable.categories = categories_from(json.at("categories"));
  const Index categories = variable.categories.size();
  if (json.contains("levels")) variable.many = levels_from(json.at("levels"), categories);
  const std::size_t inputs = variable.many ? variable.many->frequent().size() : static_cast<std::size_t>(categories);
  require(categories > 0 && variable.scalers.size() == inputs, "the numbers of scalers and categories differ");
  require(variable.fill >= 0 && variable.fill < static_cast<double>(categories) &&
              variable.fill == std::floor(variable.fill),
          "the most frequent category is not one of them");
  return variable;
}

Task task_from(const std::string& name) {
  for (const Task task : {Task::none, Task::regression, Task::binary, Task::multiclass})
    if (name == task_name(task)) return task;
  throw_damaged("unknown task '" + name + "'");
}

TargetEncoder target_from(const Json& json) {
  TargetEncoder target;
  target.info.task = task_from(json.at("task").get<std::string>());
  target.info.names = texts_from(json.at("names"));
  target.classes = categories_from(json.at("classes"));
  target.info.classes = target.classes.labels();
  const auto names = target.info.names.size();
  const Index classes = target.classes.size();
  switch (target.info.task) {
    case Task::none:
      require(names == 0 && classes == 0, "a target without a task");
      break;
    case Task::regression:
      require(names >= 1 && classes == 0, "a regression with classes");
      break;
    case Task::binary:
      require(names == 1 && classes == 2, "a binary task without two classes");
      break;
    case Task::multiclass:
      require(names == 1 && classes > 2, "a multiclass task without classes");
      break;
  }
  return target;
}

Encoder::State state_from(const Json& json) {
  require(json.at("format") == "weft encoder", "it is not an encoder");
  require(json.at("version") == 1, "it was written by a newer version");
  Encoder::State state;
  state.options = options_from(json.at("options"));
  state.rows = whole_from_json(json.at("rows"));
  const std::size_t columns = state.options.scale == Scaling::both ? 2 : 1;
  for (const Json& variable : json.at("variables")) state.variables.push_back(variable_from(variable, columns));
  require(!state.variables.empty() && state.rows > 0, "it was never fitted");
  state.target = target_from(json.at("target"));
  state.inputs = inputs_of(state.variables, state.options.bias);
  return state;
}

}  // namespace

std::string Encoder::to_json() const {
  Json json = {{"format", "weft encoder"}, {"version", 1}};
  json["options"] = options_json(state_->options);
  json["rows"] = state_->rows;
  json["variables"] = Json::array();
  for (const Variable& variable : state_->variables) json["variables"].push_back(variable_json(variable));
  const TargetInfo& target = state_->target.info;
  json["target"] = {{"task", task_name(target.task)},
                    {"names", texts_to_json(target.names)},
                    {"classes", texts_to_json(target.classes)}};
  return json.dump();
}

Encoder Encoder::from_json(const std::string& text) {
  if (nests_too_deeply(text)) throw_damaged("it is nested too deeply");
  try {
    return encoder_from_json(Json::parse(text));
  } catch (const Json::exception& error) {
    throw_damaged(error.what());
  }
}

Encoder detail::encoder_from_json(const Json& json) {
  try {
    return Encoder::from_state(state_from(json));
  } catch (const Json::exception& error) {
    throw_damaged(error.what());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::model && !error.hint().empty()) throw;
    throw_damaged(error.what());
  }
}

}  // namespace weft
