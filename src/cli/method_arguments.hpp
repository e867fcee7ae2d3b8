// --fit and the options of every method: which of them may be given depends on the method.
#pragma once

#include <weft/fit.hpp>

#include "cli/app.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace weft::cli {

class MethodArguments {
 public:
  /// Must outlive the parse.
  void add_to(App& app);
  /// After the parse: the chosen method, or `fallback`, with the options given. Throws if one of them is not an option
  /// of the method.
  MethodOptions options(const std::string& fallback) const;
  bool named() const { return !name_.empty(); }
  /// Whether this method has every option that was given, and the choices among its own.
  bool suits(const std::string& method) const;
  bool gives(const std::string& option) const;

 private:
  /// The types that the command line has for values; a choice is its name.
  using Value = std::variant<bool, int, long, std::uint64_t, double, std::string>;
  struct Given {
    std::string option;
    Value value;
  };
  template <class T>
  static T value_as(const Value& value);
  static void set(MethodOptions& options, const Given& given);
  std::string name_;
  std::vector<Given> given_;
};

}  // namespace weft::cli
