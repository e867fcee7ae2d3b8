#include "data/rows/rows_everywhere.hpp"

#include "distributed/packing.hpp"

namespace weft::detail {

void for_each_everywhere(const BlockSource& shared, const std::function<void(const TrainingBlock&)>& consume) {
  const RowShare& share = *shared.share();
  Communicator& processes = *share.processes;
  Index first = 0;
  for (int owner = 0; owner < processes.size(); ++owner) {
    const Index end = first + share.rows_of(owner);
    if (owner == processes.rank())
      shared.for_each([&](const TrainingBlock& block) {
        const std::vector<double> weights(block.weights, block.weights + (block.weights == nullptr ? 0 : block.rows()));
        std::string bytes = std::move(Packer().add(block.x).add(block.y).add(weights)).bytes();
        processes.broadcast(bytes, owner);
        consume(block);
        return true;
      });
    else
      for (Index done = first; done < end;) {
        std::string bytes;
        processes.broadcast(bytes, owner);
        Unpacker unpacker(bytes);
        const Matrix x = unpacker.matrix();
        const Matrix y = unpacker.matrix();
        const auto weights = unpacker.numbers<double>();
        consume({x, y, weights.empty() ? nullptr : weights.data(), done});
        done += x.cols();
      }
    first = end;
  }
}

}  // namespace weft::detail
