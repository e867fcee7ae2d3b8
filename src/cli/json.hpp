// Numbers in JSON: those that are not finite, which JSON lacks, are text; null says that there is none.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft::cli {

using Json = nlohmann::ordered_json;

inline Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

inline Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

inline Json numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

}  // namespace weft::cli
