// The exception that weft throws for everything a user can fix.
#pragma once

#include <weft/visibility.hpp>

#include <stdexcept>
#include <string>

namespace WEFT_PUBLIC weft {

enum class ErrorKind {
  file,       ///< cannot be opened, read, written
  data,       ///< opened, but its contents are wrong
  option,     ///< a choice that is out of range or does not fit the others
  memory,     ///< would need more memory than is allowed
  model,      ///< a model file that is damaged, foreign or too new
  cancelled,  ///< the caller asked to stop
};

/// what() is one line: "place: message; hint". The parts are kept for callers that show them apart.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message, std::string place = {}, std::string hint = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& place() const { return place_; }  ///< file:line:column, or the option
  const std::string& hint() const { return hint_; }    ///< what to do next

 private:
  ErrorKind kind_;
  std::string message_;
  std::string place_;
  std::string hint_;
};

}  // namespace weft
