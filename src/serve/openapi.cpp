#include "serve/openapi.hpp"

#include <weft/version.hpp>

#include "core/json_text.hpp"
#include "serve/predictions.hpp"

namespace weft::detail {

namespace {

Json reference(const char* schema) {
  return {{"$ref", std::string("#/components/schemas/") + schema}};
}

Json content(const char* type, Json schema) {
  return {{type, {{"schema", std::move(schema)}}}};
}

Json json_answer(const char* description, Json schema) {
  return {{"description", description}, {"content", content("application/json", std::move(schema))}};
}

Json refusals() {
  return {{"$ref", "#/components/responses/Refusal"}};
}

Json input_schema(const InputColumn& input) {
  const std::string kind = input.kind;
  Json schema;
  if (kind == "category") {
    schema = {{"type", {"string", "number", "null"}}, {"examples", input.categories}};
  } else if (kind == "boolean") {
    schema = {{"type", {"boolean", "string", "null"}}};
  } else if (kind == "date") {
    schema = {{"type", {"string", "null"}}, {"description", "YYYY-MM-DD, a time may follow"}};
  } else if (kind == "number") {
    schema = {{"type", {"number", "null"}}};
    if (input.low)
      schema["description"] = "in training mostly between these: " + Json({*input.low, *input.high}).dump();
  }
  return schema.is_null() ? Json::object() : schema;
}

Json row_schema(const ServedModel& served) {
  Json schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (std::size_t c = 0; c < served.inputs.size(); ++c) {
    schema["properties"][served.inputs[c].name] = input_schema(served.inputs[c]);
    if (served.columns.needed(c)) schema["required"].push_back(served.inputs[c].name);
  }
  return schema;
}

Json rows_body() {
  Json body = {{"required", true}, {"content", content("application/json", reference("Rows"))}};
  body["content"]["text/csv"] = {{"schema", {{"type", "string"}}}};
  body["content"]["text/tab-separated-values"] = {{"schema", {{"type", "string"}}}};
  return body;
}

Json query_parameters() {
  Json parameters = Json::array();
  for_each_field<PredictQuery>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(std::declval<PredictQuery>().*field.member)>;
    const char* type = std::is_same_v<T, bool> ? "boolean" : std::is_same_v<T, std::string> ? "string" : "number";
    parameters.push_back(
        {{"name", field.name}, {"in", "query"}, {"description", field.help}, {"schema", {{"type", type}}}});
  });
  return parameters;
}

Json predict_operation() {
  Json answers = {{"200", json_answer("The predictions, in the order of the rows and the format of the request",
                                      reference("Predictions"))},
                  {"default", refusals()}};
  answers["200"]["content"]["text/csv"] = {{"schema", {{"type", "string"}}}};
  return {{"summary", "Predict rows"},
          {"parameters", query_parameters()},
          {"requestBody", rows_body()},
          {"responses", std::move(answers)}};
}

Json get(const char* summary, const char* type) {
  return {{"get",
           {{"summary", summary},
            {"responses",
             {{"200", {{"description", summary}, {"content", {{type, Json::object()}}}}}, {"default", refusals()}}}}}};
}

Json paths() {
  const Json explain = {
      {"summary", "Contributions of the variables to predictions (Shapley values)"},
      {"requestBody", rows_body()},
      {"responses", {{"200", json_answer("One per row", {{"type", "object"}})}, {"default", refusals()}}}};
  Json health = get("Whether the server answers", "application/json");
  health["get"]["security"] = Json::array();
  return {{"/predict", {{"post", predict_operation()}}},
          {"/explain", {{"post", explain}}},
          {"/model", get("The columns of a row, and what is predicted", "application/json")},
          {"/health", std::move(health)},
          {"/metrics", get("Counters in the text format of Prometheus", "text/plain")},
          {"/openapi.json", get("This description", "application/json")}};
}

Json predictions_schema() {
  const Json number = {{"type", "number"}};
  const Json numbers = {{"type", "object"}, {"additionalProperties", number}};
  const Json ends = {{"type", "array"}, {"items", number}};
  const Json prediction = {
      {"type", "object"},
      {"properties",
       {{"values", {{"type", "object"}, {"description", "number, or label of the class, by target"}}},
        {"probabilities", numbers},
        {"interval", {{"type", "object"}, {"additionalProperties", ends}}},
        {"set", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}};
  return {{"type", "object"},
          {"properties",
           {{"model", {{"type", "string"}}},
            {"predictions", {{"type", "array"}, {"items", prediction}}},
            {"notes", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}};
}

Json components(const ServedModel& served, bool token) {
  const Json refused = {
      {"type", "object"},
      {"properties",
       {{"error", {{"type", "string"}}}, {"place", {{"type", "string"}}}, {"remedy", {{"type", "string"}}}}}};
  Json parts = {
      {"schemas",
       {{"Row", row_schema(served)},
        {"Rows", {{"anyOf", {reference("Row"), {{"type", "array"}, {"items", reference("Row")}}}}}},
        {"Predictions", predictions_schema()},
        {"Refusal", refused}}},
      {"responses", {{"Refusal", json_answer("What is wrong, where, and what to do", reference("Refusal"))}}}};
  if (token) parts["securitySchemes"] = {{"token", {{"type", "http"}, {"scheme", "bearer"}}}};
  return parts;
}

}  // namespace

std::string openapi(const ServedModel& served, const ServeRequest& server) {
  const bool token = !server.token.empty();
  Json json = {{"openapi", "3.1.0"},
               {"info", {{"title", "weft: predictions of a model"}, {"version", weft::version()}}},
               {"paths", paths()},
               {"components", components(served, token)}};
  if (token) json["security"] = Json::array({{{"token", Json::array()}}});
  return json_document(json) + "\n";
}

}  // namespace weft::detail
