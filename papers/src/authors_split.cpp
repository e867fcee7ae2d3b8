#include "authors_split.hpp"

#include <numeric>
#include <random>
#include <utility>

namespace weft::papers {

std::vector<Index> numpy_permutation(std::uint32_t seed, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937 bits(seed);
  // Fisher–Yates from the end; a position is drawn under the mask of the last one's bits until it is not above it.
  for (std::uint64_t last = order.size(); last-- > 1;) {
    std::uint64_t mask = last;
    for (const int shift : {1, 2, 4, 8, 16}) mask |= mask >> shift;
    std::uint64_t other = 0;
    do other = bits() & mask;
    while (other > last);
    std::swap(order[last], order[other]);
  }
  return order;
}

AuthorsSplit authors_split(Index rows) {
  const std::vector<Index> order = numpy_permutation(0, rows);
  const auto first_train = order.begin() + (rows + 3) / 4;
  return {{first_train, order.end()}, {order.begin(), first_train}};
}

}  // namespace weft::papers
