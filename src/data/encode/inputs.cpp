#include <weft/inputs.hpp>

namespace weft {

Inputs Inputs::plain(Index n, bool bias) {
  Inputs inputs;
  for (Index j = 0; j < n; ++j) {
    inputs.names.push_back("x" + std::to_string(j));
    inputs.variable_of.push_back(j);
  }
  inputs.bias = bias;
  if (bias) {
    inputs.names.emplace_back("(bias)");
    inputs.variable_of.push_back(-1);
  }
  return inputs;
}

}  // namespace weft
