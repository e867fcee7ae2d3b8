#include "explain/held_out.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

Matrix stacked(const std::vector<PredictionBlock>& blocks, Index rows, Matrix PredictionBlock::*member) {
  const Index columns = (blocks.front().*member).cols();
  if (columns == 0) return {};
  Matrix all(rows, columns);
  double* at = all.data();
  for (const PredictionBlock& block : blocks) {
    const Matrix& part = block.*member;
    at = std::copy_n(part.data(), part.rows() * part.cols(), at);
  }
  return all;
}

}  // namespace

HeldOut predict_held_out(const Model& model, const Data& data, const Run& run) {
  std::vector<PredictionBlock> blocks;
  HeldOut result{.target = model.target(), .loss = model.parts().loss};
  model.for_each_prediction(
      data, {.with_targets = true},
      [&](const PredictionBlock& block) {
        if (block.rows() == 0) return;
        blocks.push_back(block);
        if (block.weights.empty())
          result.weights.insert(result.weights.end(), static_cast<std::size_t>(block.rows()), 1.0);
        else
          result.weights.insert(result.weights.end(), block.weights.begin(), block.weights.end());
      },
      run);
  if (blocks.empty())
    throw Error(ErrorKind::data, "there are no rows to predict", data.name(), "give at least one row");
  if (std::all_of(result.weights.begin(), result.weights.end(), [](double weight) { return weight == 0; }))
    throw Error(ErrorKind::data, "every row has weight 0", data.name(), "give at least one row a positive weight");
  const auto rows = static_cast<Index>(result.weights.size());
  result.scores = stacked(blocks, rows, &PredictionBlock::scores);
  result.values = stacked(blocks, rows, &PredictionBlock::values);
  result.probabilities = stacked(blocks, rows, &PredictionBlock::probabilities);
  result.targets = stacked(blocks, rows, &PredictionBlock::targets);
  return result;
}

}  // namespace weft::detail
