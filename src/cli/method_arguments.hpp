// --fit and the options of every method: which of them may be given depends on the method.
#pragma once

#include <weft/fit.hpp>

#include "cli/app.hpp"

#include <functional>
#include <string>
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
  /// Whether this method has every option that was given.
  bool suits(const std::string& method) const;

 private:
  struct Given {
    std::string option;
    std::function<void(MethodOptions&)> set;
  };
  std::string name_;
  std::vector<Given> given_;
};

}  // namespace weft::cli
