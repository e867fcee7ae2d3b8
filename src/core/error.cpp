#include <weft/error.hpp>

namespace weft {

namespace {

std::string one_line(const std::string& message, const std::string& place, const std::string& hint) {
  std::string line = place.empty() ? message : place + ": " + message;
  if (!hint.empty()) line += "; " + hint;
  return line;
}

}  // namespace

Error::Error(ErrorKind kind, std::string message, std::string place, std::string hint)
    : std::runtime_error(one_line(message, place, hint)),
      kind_(kind),
      message_(std::move(message)),
      place_(std::move(place)),
      hint_(std::move(hint)) {}

}  // namespace weft
