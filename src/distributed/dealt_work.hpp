// Work whose pieces do not depend on each other, where every process could do all of it: each does some, and all have
// the results.
#pragma once

#include <weft/communicator.hpp>
#include <weft/matrix.hpp>

#include "distributed/packing.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// The pieces 0 … count-1 that this process does; all of them where it is alone.
inline std::vector<Index> dealt_pieces(const Communicator* processes, Index count) {
  std::vector<Index> own;
  const Index step = processes != nullptr ? processes->size() : 1;
  for (Index k = processes != nullptr ? processes->rank() : 0; k < count; k += step) own.push_back(k);
  return own;
}

/// Collective, where there are processes: results[k] of the pieces that others did become theirs.
template <class T, class ToBytes, class FromBytes>
void exchange_results(Communicator* processes, std::vector<std::optional<T>>& results, const ToBytes& to_bytes,
                      const FromBytes& from_bytes) {
  if (processes == nullptr || processes->size() == 1) return;
  Packer own;
  for (std::size_t k = 0; k < results.size(); ++k)
    if (results[k]) own.add(static_cast<Index>(k)).add(to_bytes(*results[k]));
  const std::string bytes = std::move(own).bytes();
  for (const std::string& some : processes->all_gather(bytes))
    for (Unpacker unpacker(some); unpacker.more();) {
      const auto k = static_cast<std::size_t>(unpacker.number<Index>());
      const std::string result = unpacker.text();
      if (!results[k]) results[k] = from_bytes(result);
    }
}

}  // namespace weft::detail
