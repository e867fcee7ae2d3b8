#include "serve/answer.hpp"

#include "core/at.hpp"
#include "core/json_text.hpp"
#include "serve/predictions.hpp"

#include <array>
#include <cmath>
#include <ctime>
#include <iterator>

#include <fmt/format.h>

namespace weft::detail {

namespace {

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::data:
      return 422;
    case ErrorKind::option:
      return 400;
    case ErrorKind::memory:
      return 413;
    case ErrorKind::cancelled:
      return 503;
    default:
      return 500;
  }
}

/// Options of a request have the names of its query, others those of the command.
std::string in_words_of_requests(const std::string& text) {
  return with_options_named(text, [](const std::string& field) {
    bool of_query = false;
    for_each_field<PredictQuery>([&](const auto& known) { of_query = of_query || field == known.name; });
    return of_query ? field : "--" + option_name(field.c_str());
  });
}

/// The time as headers have it; made once a second.
const std::string& date_text() {
  static thread_local std::time_t made_at = 0;
  static thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now != made_at) {
    std::tm parts = {};
    ::gmtime_r(&now, &parts);
    constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    text = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[at(parts.tm_wday)], parts.tm_mday,
                       kMonths[at(parts.tm_mon)], 1900 + parts.tm_year, parts.tm_hour, parts.tm_min, parts.tm_sec);
    made_at = now;
  }
  return text;
}

}  // namespace

Answer refusal(int status, const std::string& message, const std::string& remedy, const std::string& place) {
  Json json = {{"error", in_words_of_requests(message)}};
  if (!place.empty()) json["place"] = in_words_of_requests(place);
  if (!remedy.empty()) json["remedy"] = in_words_of_requests(remedy);
  return {.status = status, .body = json_document(json) + "\n"};
}

Answer refusal(const Error& error) {
  Answer answer = error.kind() == ErrorKind::cancelled
                      ? refusal(503, "the request took longer than it may, or the server is ending",
                                "send fewer rows at a time, or start the server with a larger ‹max_time›")
                      : refusal(status_of(error.kind()), error.message(), error.hint(), error.place());
  if (answer.status == 503) answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

void append_answer(const Answer& answer, bool keep_alive, bool with_body, std::string& bytes) {
  auto out = std::back_inserter(bytes);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nDate: {}\r\n", answer.status, reason(answer.status), date_text());
  if (answer.status != 204)
    fmt::format_to(out, "Content-Type: {}\r\nContent-Length: {}\r\n", answer.type, answer.body.size());
  bytes += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : answer.headers) fmt::format_to(out, "{}: {}\r\n", name, value);
  bytes += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
  if (with_body) bytes += answer.body;
}

std::string json_string(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_json_number(double number, std::string& json) {
  json += std::isfinite(number) ? fmt::to_string(number) : fmt::format("\"{}\"", number);
}

}  // namespace weft::detail
