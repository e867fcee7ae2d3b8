#include <weft/encoder.hpp>

namespace weft {

std::vector<Index> row_classes(const Encoder& encoder, const Data& data, const Run& run) {
  std::vector<Index> classes;
  if (encoder.target().task != Task::binary && encoder.target().task != Task::multiclass) return classes;
  const auto stream = encoder.open(data, true, run);
  for (Block block; stream->next(block, 4096);)
    for (Index i = 0; i < block.rows(); ++i) classes.push_back(static_cast<Index>(block.y(0, i)));
  return classes;
}

}  // namespace weft
