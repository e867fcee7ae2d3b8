#include <weft/model.hpp>

#include "core/json_text.hpp"

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
  for (const auto& [stage, time] : seconds) json["seconds"][stage] = number_to_json(time);
  if (!warnings.empty()) json["warnings"] = warnings;
  return json_document(json);
}

}  // namespace weft
