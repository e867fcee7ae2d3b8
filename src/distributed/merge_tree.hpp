// Values of consecutive pieces, merged in an order that does not depend on who computed them, so that sums have the
// same bits for any number of processes: pieces in about √pieces groups, those of a group one after the other, then the
// groups one after the other. One process holds three values, of the groups, of a group and of a piece; in a binary
// tree it would hold one per level. Groups are cut as processes share pieces out: wherever these are a power of two and
// not more than groups, every process merges whole groups.
#pragma once

#include <weft/communicator.hpp>
#include <weft/matrix.hpp>

#include "distributed/packing.hpp"
#include "distributed/row_share.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// How values are merged and sent.
template <class T>
struct Merging {
  void (*merge)(T& value, T& next);  ///< `next` is that of the pieces which follow, and is not needed any more
  std::string (*to_bytes)(const T& value);
  T (*from_bytes)(const std::string& bytes);
  void (*clear)(T& value) = nullptr;  ///< makes it that of no rows; for values whose memory is worth using again
};

template <class T>
class MergeTree {
 public:
  /// `pieces`: of all processes.
  MergeTree(Index pieces, Merging<T> merging) : merging_(merging) {
    Index groups = 1;
    while (groups * groups < pieces) groups *= 2;
    for (Index k = 0; k <= groups; ++k) starts_.push_back(part_of(pieces, groups, k).first);
  }

  /// Pieces must come one after the other; those without a value count too.
  void add(Index piece, std::optional<T> value) { push({piece, piece + 1, std::move(value)}); }

  /// That of no rows, in the memory of one that was merged; nullopt where there is none.
  std::optional<T> spare() {
    if (spares_.empty()) return std::nullopt;
    std::optional<T> value = std::move(spares_.back());
    spares_.pop_back();
    return value;
  }
  /// How many values there are: one or two, and those that wait for pieces of other processes.
  Index held() const { return static_cast<Index>(nodes_.size()); }

  /// Collective: the value of all pieces, on every process; nullopt where there are none.
  std::optional<T> all(Communicator& processes) {
    merging_.clear = nullptr;  // no piece follows that could use the memory again
    spares_.clear();
    collect(processes);
    std::optional<T> total;
    if (processes.rank() == 0 && !nodes_.empty()) total = std::move(nodes_.front().value);
    nodes_.clear();
    if (processes.size() == 1) return total;
    std::string bytes = total ? merging_.to_bytes(*total) : std::string();
    processes.broadcast(bytes, 0);
    if (processes.rank() != 0 && !bytes.empty()) total = merging_.from_bytes(bytes);
    return total;
  }

 private:
  /// The pieces first … end-1: of one group, or whole groups from the first on.
  struct Node {
    Index first;
    Index end;
    std::optional<T> value;
  };

  bool border(Index piece) const { return std::binary_search(starts_.begin(), starts_.end(), piece); }

  /// A piece is merged with those of its group before it, a group with all groups before it, once all of these are.
  bool meet(const Node& before, const Node& node) const {
    if (before.end != node.first) return false;
    if (!border(node.first)) return border(before.first);
    return before.first == 0 && border(node.end);
  }

  void push(Node node) {
    while (!nodes_.empty() && meet(nodes_.back(), node)) {
      Node before = std::move(nodes_.back());
      nodes_.pop_back();
      merge(before.value, std::move(node.value));
      before.end = node.end;
      node = std::move(before);
    }
    nodes_.push_back(std::move(node));
  }

  void merge(std::optional<T>& value, std::optional<T> next) {
    if (!value) value = std::exchange(next, std::nullopt);
    if (!next) return;
    merging_.merge(*value, *next);
    if (merging_.clear == nullptr) return;
    merging_.clear(*next);
    spares_.push_back(std::move(*next));
  }

  /// The nodes of all processes, in order, to rank 0: neighbours first, so that rank r sends once.
  void collect(Communicator& processes) {
    const int rank = processes.rank();
    for (int step = 1; step < processes.size(); step *= 2) {
      if (rank % (2 * step) != 0) return send(processes, rank - step);
      if (rank + step < processes.size()) receive(processes, rank + step);
    }
  }

  void send(Communicator& processes, int to) {
    processes.send(to, std::to_string(nodes_.size()));
    for (const Node& node : nodes_) {
      const auto values = static_cast<int>(node.value.has_value());
      processes.send(to, std::move(Packer().add(node.first).add(node.end).add(values)).bytes());
      if (node.value) processes.send(to, merging_.to_bytes(*node.value));
    }
    nodes_.clear();
  }

  void receive(Communicator& processes, int from) {
    for (auto left = std::stoul(processes.receive(from)); left > 0; --left) {
      const std::string bytes = processes.receive(from);
      Unpacker where(bytes);
      Node node{where.number<Index>(), where.number<Index>(), {}};
      if (where.number<int>() > 0) node.value = merging_.from_bytes(processes.receive(from));
      push(std::move(node));
    }
  }

  Merging<T> merging_;
  std::vector<Index> starts_;  ///< first piece of every group, and the number of pieces
  std::vector<Node> nodes_;
  std::vector<T> spares_;
};

/// How many values there are at most while a process adds its pieces, that of the latest piece included.
Index values_held(const RowShare& share);

}  // namespace weft::detail
