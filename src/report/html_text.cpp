#include "report/html_text.hpp"

namespace weft::detail {

std::string html_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

std::string script_json(const Json& json) {
  std::string result;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    if (c == '<')
      result += "\\u003c";  // only strings of JSON hold a "<"
    else
      result += c;
  return result;
}

}  // namespace weft::detail
