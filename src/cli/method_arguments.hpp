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
  /// After the parse: the chosen method with the options given. Throws if one of them is not an option of the method.
  MethodOptions options() const;

 private:
  struct Given {
    std::string option;
    std::function<void(MethodOptions&)> set;
  };
  std::string name_ = method_name(MethodOptions{});
  std::vector<Given> given_;
};

}  // namespace weft::cli
