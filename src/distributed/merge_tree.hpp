// Values of consecutive pieces merged in a binary tree over the pieces' numbers: node (level, k) covers the pieces
// k·2^level … (k+1)·2^level − 1. Which values meet does not depend on who computed them, so that sums have the same
// bits for any number of processes.
#pragma once

#include <weft/communicator.hpp>
#include <weft/matrix.hpp>

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// How values are merged and sent.
template <class T>
struct Merging {
  void (*merge)(T& value, T next);  ///< `next` is that of the pieces which follow
  std::string (*to_bytes)(const T& value);
  T (*from_bytes)(const std::string& bytes);
};

template <class T>
class MergeTree {
 public:
  explicit MergeTree(Merging<T> merging) : merging_(merging) {}

  /// Pieces must come in their order. At most two nodes of each level are held.
  void add(Index piece, T value) { push({0, piece, std::move(value)}); }

  /// Collective: the value of all pieces, on every process; nullopt where there are none.
  std::optional<T> all(Communicator& processes) {
    collect(processes);
    std::optional<T> total;
    if (processes.rank() == 0 && !nodes_.empty()) {
      total = std::move(nodes_.back().value);
      for (nodes_.pop_back(); !nodes_.empty(); nodes_.pop_back()) {
        T value = std::move(nodes_.back().value);
        merging_.merge(value, std::move(*total));
        total = std::move(value);
      }
    }
    if (processes.size() == 1) return total;
    std::string bytes = total ? merging_.to_bytes(*total) : std::string();
    processes.broadcast(bytes, 0);
    if (processes.rank() != 0 && !bytes.empty()) total = merging_.from_bytes(bytes);
    return total;
  }

 private:
  struct Node {
    int level;
    Index place;
    T value;
  };

  void push(Node node) {
    while (!nodes_.empty() && nodes_.back().level == node.level && node.place % 2 == 1) {
      assert(nodes_.back().place == node.place - 1);
      merging_.merge(nodes_.back().value, std::move(node.value));
      node = {node.level + 1, node.place / 2, std::move(nodes_.back().value)};
      nodes_.pop_back();
    }
    nodes_.push_back(std::move(node));
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
      processes.send(to, std::to_string(node.level) + " " + std::to_string(node.place));
      processes.send(to, merging_.to_bytes(node.value));
    }
    nodes_.clear();
  }

  void receive(Communicator& processes, int from) {
    for (auto left = std::stoul(processes.receive(from)); left > 0; --left) {
      const std::string place = processes.receive(from);
      const std::size_t blank = place.find(' ');
      const int level = std::stoi(place.substr(0, blank));
      const Index number = std::stoll(place.substr(blank + 1));
      push({level, number, merging_.from_bytes(processes.receive(from))});
    }
  }

  Merging<T> merging_;
  std::vector<Node> nodes_;
};

}  // namespace weft::detail
