// Configurations of a search that are dealt out to processes.
#pragma once

#include <weft/communicator.hpp>

#include "train/search/search_space.hpp"

#include <string>
#include <vector>

namespace weft::detail {

class DealtTrials {
 public:
  using Round = std::vector<std::vector<Candidate>>;

  /// Null: there are no others.
  explicit DealtTrials(Communicator* processes) : processes_(processes) {}

  bool alone() const { return processes_ == nullptr; }
  /// Whether this process keeps the log, and goes on when the search is done.
  bool first() const { return alone() || processes_->rank() == 0; }
  std::size_t processes() const { return alone() ? 1 : static_cast<std::size_t>(processes_->size()); }
  /// Collective: the smallest, so that all do the same whatever their memory and threads.
  std::size_t least(std::size_t count) const;
  /// Collective: whether it holds on one of them.
  bool on_any(bool holds) const;

  /// The batches that this process validates.
  Round own(const Round& round) const;
  void add(Trial trial) { own_.push_back(std::move(trial)); }
  /// Collective: all trials of the round that were added since the last time, in its order.
  std::vector<Trial> exchange(const Round& round, const FitOptions& fit);

 private:
  Communicator* processes_;
  std::vector<Trial> own_;
};

}  // namespace weft::detail
