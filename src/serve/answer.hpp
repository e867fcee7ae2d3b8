// What is sent back.
#pragma once

#include <weft/error.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::detail {

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< besides those that every answer has
};

/// {"error", "place", "remedy"}, what is empty left out.
Answer refusal(int status, const std::string& message, const std::string& remedy, const std::string& place = {});
/// An error of the library as an answer: the status that its kind calls for, options named as those of the command.
Answer refusal(const Error& error);

/// The bytes of an answer. `with_body` is false for HEAD.
void append_answer(const Answer& answer, bool keep_alive, bool with_body, std::string& bytes);

/// A text as a JSON string, quotes included; U+FFFD for bytes that are not UTF-8.
std::string json_string(std::string_view text);
/// The shortest decimal that reads back to the same bits, or "inf", "-inf", "nan" in quotes.
void append_json_number(double number, std::string& json);

}  // namespace weft::detail
