// "builtin:NAME[:rows=…,seed=…,noise=…]".
#pragma once

#include <weft/data.hpp>

#include <string>

namespace weft::detail {

bool is_builtin_path(const std::string& path);

struct BuiltinPath {
  std::string name;
  GenerateOptions options;
};

/// Throws ErrorKind::option naming what is wrong and what there is.
BuiltinPath parse_builtin_path(const std::string& path);

}  // namespace weft::detail
