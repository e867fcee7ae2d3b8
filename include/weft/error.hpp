// The exception that weft throws for everything a user can fix.
#pragma once

#include <weft/visibility.hpp>

#include <functional>
#include <stdexcept>
#include <string>

namespace WEFT_PUBLIC weft {

enum class ErrorKind {
  file,       ///< cannot be opened, read, written
  data,       ///< opened, but its contents are wrong
  option,     ///< an option that is out of range or conflicts with others
  memory,     ///< would need more memory than is allowed
  model,      ///< a model file that is damaged, foreign or too new
  cancelled,  ///< the caller asked to stop
};

/// Texts of the library (errors, warnings, notes, help) name an option by its field, between marks: "use ‹fit›
/// logistic". Every front end shows it in its own notation, such as --fit.
std::string option_mark(const std::string& field);
std::string with_options_named(const std::string& text,
                               const std::function<std::string(const std::string& field)>& name);

/// what() is one line, "place: message; hint", with the plain names of fields. The parts are kept for callers that show
/// them separately or, like marked(), with options in their own notation.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message, std::string place = {}, std::string hint = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& place() const { return place_; }  ///< file:line:column, or the marked option
  const std::string& hint() const { return hint_; }    ///< what to do next
  std::string field() const;                           ///< the option that place() names; empty if it is not an option
  std::string marked() const;                          ///< what(), with options marked

 private:
  ErrorKind kind_;
  std::string message_;
  std::string place_;
  std::string hint_;
};

}  // namespace weft
