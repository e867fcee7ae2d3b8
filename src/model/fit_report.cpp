#include <weft/model.hpp>

#include "model/tried_json.hpp"

#include <algorithm>

namespace weft {

using namespace detail;

namespace {

template <class Value>
void replace_or_append(std::vector<std::pair<std::string, Value>>& list, const std::string& name, const Value& value) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == list.end())
    list.emplace_back(name, value);
  else
    found->second = value;
}

}  // namespace

void FitReport::set(const std::string& name, double value) {
  replace_or_append(numbers, name, value);
}

void FitReport::set(const std::string& name, const std::string& value) {
  replace_or_append(words, name, value);
}

std::optional<double> FitReport::number(const std::string& name) const {
  for (const auto& [key, value] : numbers)
    if (key == name) return value;
  return std::nullopt;
}

std::string FitReport::to_json() const {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = number_to_json(value);
  for (const auto& [name, text] : words) json[name] = text;
  for (const TriedCandidate& candidate : tried) json["tried"].push_back(tried_to_json(candidate));
  for (const auto& [stage, time] : seconds) json["seconds"][stage] = number_to_json(time);
  if (!warnings.empty()) json["warnings"] = warnings;
  return json_document(json);
}

namespace detail {

Json tried_to_json(const TriedCandidate& tried) {
  return {{"name", text_to_json(tried.name)},
          {"size", tried.size},
          {"bandwidth", number_to_json(tried.bandwidth)},
          {"lambda", number_to_json(tried.lambda)},
          {"error", number_to_json(tried.error)},
          {"weight", number_to_json(tried.weight)},
          {"partial", tried.partial}};
}

TriedCandidate tried_from_json(const Json& json) {
  return {.name = text_from_json(json.at("name")),
          .size = whole_from_json(json.at("size")),
          .bandwidth = number_from_json(json.at("bandwidth")),
          .lambda = number_from_json(json.at("lambda")),
          .error = number_from_json(json.at("error")),
          .weight = number_from_json(json.at("weight")),
          .partial = json.at("partial").get<bool>()};
}

}  // namespace detail

}  // namespace weft
