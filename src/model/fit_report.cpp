#include <weft/model.hpp>

#include <algorithm>

namespace weft {

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

}  // namespace weft
