// JSON of results, and what plain JSON cannot hold: texts that are not UTF-8, and numbers that are not finite.
#pragma once

#include <weft/matrix.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::detail {

using Json = nlohmann::ordered_json;

/// A string, or {"hex": "…"} of its bytes where they are not UTF-8.
Json text_to_json(const std::string& text);
std::string text_from_json(const Json& json);
Json texts_to_json(const std::vector<std::string>& texts);
std::vector<std::string> texts_from_json(const Json& json);

/// The shortest decimal that reads back to the same bits, or "inf", "-inf", "nan".
Json number_to_json(double number);
Json number_to_json(const std::optional<double>& number);  ///< none: null
Json numbers_to_json(const std::vector<double>& numbers);
double number_from_json(const Json& json);

/// A whole number, or a list of them. Json::get would make some number of 1e300, and one below 0 of 2⁶³.
Index whole_from_json(const Json& json);
std::vector<Index> wholes_from_json(const Json& json);

/// Whether lists and objects lie in each other deeper than in any file of weft. Such a text is not to be parsed: what
/// walks over the result would overflow the stack.
bool nests_too_deeply(std::string_view text);

/// What the to_json of results return: indented, with U+FFFD for bytes that are not UTF-8.
std::string json_document(const Json& json);

}  // namespace weft::detail
