// Predictions and their evaluation, with the rows shared out over processes.
#include <weft/distributed.hpp>

#include "distributed/packing.hpp"
#include "distributed/row_share.hpp"
#include "model/evaluation.hpp"
#include "model/predictor.hpp"

namespace weft {

using namespace detail;

namespace {

using Consume = std::function<void(const PredictionBlock&, const CarriedCells&)>;

void pack(const PredictionBlock& block, const CarriedCells& kept, Packer& packer) {
  packer.add(block.first_row);
  for (const Matrix* matrix : {&block.scores, &block.values, &block.probabilities, &block.std, &block.lower,
                               &block.upper, &block.sets, &block.targets})
    packer.add(*matrix);
  packer.add(block.weights);
  for (const std::vector<std::string>& row : kept.cells)
    for (const std::string& cell : row) packer.add(cell);
}

PredictionBlock unpack(Unpacker& unpacker, CarriedCells& kept) {
  PredictionBlock block;
  block.first_row = unpacker.number<Index>();
  for (Matrix* matrix : {&block.scores, &block.values, &block.probabilities, &block.std, &block.lower, &block.upper,
                         &block.sets, &block.targets})
    *matrix = unpacker.matrix();
  block.weights = unpacker.numbers<double>();
  kept.cells.assign(static_cast<std::size_t>(block.rows()), {});
  for (std::vector<std::string>& row : kept.cells)
    for (std::size_t c = 0; c < kept.names.size(); ++c) row.push_back(unpacker.text());
  return block;
}

/// The rows of this process, numbered as in the whole table.
void predict_own(const Model& model, const SharedTable& table, const RowShare& share, const PredictOptions& options,
                 const std::string& keep, const Consume& consume, const Run& run) {
  CarriedColumns carried(table.rows(share.begin(), share.end()), keep);
  model.for_each_prediction(
      carried.data(), options,
      [&](const PredictionBlock& block) {
        PredictionBlock numbered = block;
        numbered.first_row += share.begin();
        consume(numbered, {carried.names(), carried.take(block.rows())});
      },
      run);
}

}  // namespace

void for_each_prediction(const Model& model, const SharedTable& table, const PredictOptions& options,
                         const std::string& keep, const Consume& consume, const Run& run) {
  Communicator& processes = table.processes();
  const RowShare share = RowShare::of(table.rows(), Predictor::kBlockRows, processes);
  if (processes.rank() > 0) {
    Packer own;
    predict_own(
        model, table, share, options, keep,
        [&](const PredictionBlock& block, const CarriedCells& kept) { pack(block, kept, own); }, run);
    processes.send(0, std::move(own).bytes());
    return;
  }
  CarriedCells kept;
  predict_own(
      model, table, share, options, keep,
      [&](const PredictionBlock& block, const CarriedCells& cells) {
        kept.names = cells.names;
        consume(block, cells);
      },
      run);
  for (int from = 1; from < processes.size(); ++from) {
    const std::string bytes = processes.receive(from);
    for (Unpacker unpacker(bytes); unpacker.more();) {
      const PredictionBlock block = unpack(unpacker, kept);
      consume(block, kept);
    }
  }
}

Evaluation evaluate(const Model& model, const SharedTable& table, const PredictOptions& options, const Run& run) {
  PredictOptions with_targets = options;
  with_targets.with_targets = true;
  if (table.processes().rank() > 0) {
    for_each_prediction(model, table, with_targets, "", {}, run);
    return {};
  }
  const auto predictions = [&](const std::function<void(const PredictionBlock&)>& consume) {
    for_each_prediction(
        model, table, with_targets, "", [&](const PredictionBlock& block, const CarriedCells&) { consume(block); },
        run);
  };
  return evaluate_stream(model, predictions, table.all().name(), options, run);
}

}  // namespace weft
