// JSON of cells, logs and studies. Numbers that are not finite, which JSON lacks, are texts.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

namespace weft::papers {

using Json = nlohmann::ordered_json;

inline Json number_to_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

inline Json number_to_json(const std::optional<double>& number) {
  return number ? number_to_json(*number) : Json(nullptr);
}

inline double number_from_json(const Json& json) {
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return json.get<double>();
}

}  // namespace weft::papers
