#include "distributed/row_share.hpp"

#include "distributed/merge_tree.hpp"

#include <algorithm>
#include <tuple>

namespace weft::detail {

std::pair<Index, Index> part_of(Index total, Index parts, Index k) {
  return {(total * k + parts - 1) / parts, (total * (k + 1) + parts - 1) / parts};
}

Index RowShare::piece_of(Index row) const {
  return std::upper_bound(starts.begin() + first, starts.begin() + last, row) - starts.begin() - 1;
}

Index RowShare::rows_of(int rank) const {
  const auto [from, to] = part_of(pieces(), processes->size(), rank);
  return starts[static_cast<std::size_t>(to)] - starts[static_cast<std::size_t>(from)];
}

Index values_held(const RowShare& share) {
  MergeTree<char> tree(share.pieces(), {[](char&, char&) {}, nullptr, nullptr});
  Index most = 0;
  for (Index piece = share.first; piece < share.last; ++piece) {
    most = std::max(most, tree.held() + 1);
    tree.add(piece, '\0');
  }
  return most;
}

bool on_all(const RowShare* share, bool holds) {
  return on_all(share != nullptr ? share->processes : nullptr, holds);
}

bool on_all(Communicator* processes, bool holds) {
  if (processes == nullptr) return holds;
  const std::vector<std::string> all = processes->all_gather(holds ? "yes" : "no");
  return std::count(all.begin(), all.end(), "no") == 0;
}

void gather(const RowShare* share, std::vector<double>& values) {
  if (share == nullptr) return;
  const std::vector<std::string> all = share->processes->all_gather(std::move(Packer().add(values)).bytes());
  values.clear();
  for (const std::string& bytes : all) {
    const auto some = Unpacker(bytes).numbers<double>();
    values.insert(values.end(), some.begin(), some.end());
  }
}

RowShare RowShare::of(Index rows, Index block_rows, Communicator& processes, Index most) {
  RowShare share{.processes = &processes, .starts = {}};
  const Index blocks = (rows + block_rows - 1) / block_rows;
  const Index pieces = std::min(blocks, most);
  for (Index p = 0; p < pieces; ++p) share.starts.push_back(part_of(blocks, pieces, p).first * block_rows);
  share.starts.push_back(rows);
  std::tie(share.first, share.last) = part_of(pieces, processes.size(), processes.rank());
  return share;
}

}  // namespace weft::detail
