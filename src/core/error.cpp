#include <weft/error.hpp>

#include <string_view>

namespace weft {

namespace {

constexpr std::string_view kOpen = "‹";
constexpr std::string_view kClose = "›";

std::string one_line(const std::string& message, const std::string& place, const std::string& hint) {
  std::string line = place.empty() ? message : place + ": " + message;
  if (!hint.empty()) line += "; " + hint;
  return line;
}

std::string plain(const std::string& text) {
  return with_options_named(text, [](const std::string& field) { return field; });
}

bool is_field(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

}  // namespace

std::string option_mark(const std::string& field) {
  return std::string(kOpen) + field + std::string(kClose);
}

std::string with_options_named(const std::string& text,
                               const std::function<std::string(const std::string& field)>& name) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t open = text.find(kOpen); open != std::string::npos; open = text.find(kOpen, open + 1)) {
    const std::size_t start = open + kOpen.size();
    const std::size_t close = text.find(kClose, start);
    if (close == std::string::npos) break;
    const std::string field = text.substr(start, close - start);
    if (!is_field(field)) continue;  // a character of the user's own text
    result += text.substr(done, open - done) + name(field);
    done = close + kClose.size();
  }
  return result + text.substr(done);
}

Error::Error(ErrorKind kind, std::string message, std::string place, std::string hint)
    : std::runtime_error(plain(one_line(message, place, hint))),
      kind_(kind),
      message_(std::move(message)),
      place_(std::move(place)),
      hint_(std::move(hint)) {}

std::string Error::field() const {
  const std::string name = plain(place_);
  return name.size() + kOpen.size() + kClose.size() == place_.size() ? name : "";
}

std::string Error::marked() const {
  return one_line(message_, place_, hint_);
}

}  // namespace weft
