#include "core/json_text.hpp"

#include <weft/error.hpp>

#include "core/utf8.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

Json text_to_json(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return {{"hex", hex}};
}

std::string text_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  const auto hex = json.at("hex").get<std::string>();
  if (hex.size() % 2 != 0 || hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw Error(ErrorKind::model, "a hexadecimal text is not valid");
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 2) text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return text;
}

Json texts_to_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text_to_json(text));
  return json;
}

std::vector<std::string> texts_from_json(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& text : json) texts.push_back(text_from_json(text));
  return texts;
}

Json number_to_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

Json number_to_json(const std::optional<double>& number) {
  return number ? number_to_json(*number) : Json(nullptr);
}

Json numbers_to_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double number : numbers) json.push_back(number_to_json(number));
  return json;
}

double number_from_json(const Json& json) {
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return json.get<double>();
}

Index whole_from_json(const Json& json) {
  static_assert(std::is_same_v<Json::number_integer_t, Index>);
  const Index number = json.get_ref<const Json::number_integer_t&>();  // throws for anything but a whole number
  if (json.is_number_unsigned() && number < 0) throw Error(ErrorKind::model, "a number is too large");
  return number;
}

std::vector<Index> wholes_from_json(const Json& json) {
  if (!json.is_array()) throw Error(ErrorKind::model, "a list is missing");
  std::vector<Index> numbers;
  for (const Json& number : json) numbers.push_back(whole_from_json(number));
  return numbers;
}

bool nests_too_deeply(std::string_view text) {
  constexpr int kDeepest = 64;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && depth <= kDeepest; ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;  // what follows is part of the string
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      ++depth;
    else if (!quoted && (c == ']' || c == '}'))
      --depth;
  }
  return depth > kDeepest;
}

std::string json_document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weft::detail
