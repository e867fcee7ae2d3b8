#include <weft/encoder.hpp>

#include "data/encode/encoder_state.hpp"
#include "data/encode/statistics_state.hpp"

namespace weft {

using namespace detail;

namespace {

bool has_classes(const TargetInfo& target) {
  return target.task == Task::binary || target.task == Task::multiclass;
}

}  // namespace

std::vector<Index> row_classes(const Encoder& encoder, const Data& data, const Run& run) {
  std::vector<Index> classes;
  if (!has_classes(encoder.target())) return classes;
  const auto reader = encoder.open(data, true, run);
  for (Block block; reader->next(block, 4096);)
    for (Index i = 0; i < block.rows(); ++i) classes.push_back(static_cast<Index>(block.y(0, i)));
  return classes;
}

RowClasses row_classes(const Data& data, const EncodeOptions& encode, const Run& run) {
  std::vector<double> cells;
  const EncoderStatistics statistics(gather_statistics(data, true, encode, 0, run, &cells));
  const EncoderStatistics::State& known = statistics.state();
  RowClasses result{known.rows, {}};
  const TargetInfo target = Encoder::fit(statistics, run).target();
  if (!has_classes(target)) return result;
  const Categories classes(target.classes);
  std::vector<Index> by_code;
  for (const std::string& text : known.target_dictionary) by_code.push_back(classes.find(text));
  for (const double cell : cells)
    result.classes.push_back(by_code.empty() ? classes.find(cell) : by_code[static_cast<std::size_t>(cell)]);
  return result;
}

}  // namespace weft
