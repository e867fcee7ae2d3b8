// The one memory policy. A job has one budget: --max-memory, or the memory of the machine. What it must hold at once is
// added up by name and checked before it starts; caches (rows, features of rows) may use a quarter of the budget, and
// at most what is left of it.
#pragma once

#include <weft/run.hpp>

#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// The budget in bytes.
double memory_limit(const Run& run);

class MemoryPlan {
 public:
  explicit MemoryPlan(const Run& run);

  /// Must be held: `numbers` doubles.
  MemoryPlan& hold(std::string what, double numbers);

  double bytes() const { return bytes_; }           ///< that must be held
  double left() const { return budget_ - bytes_; }  ///< negative: it does not fit
  bool fits() const { return bytes_ <= budget_; }
  /// Bytes available for caches.
  double spare() const;
  /// The same for encoded rows, which are cheap to read again: at most 1 GiB, or an eighth of the machine, unless a
  /// limit was given.
  double spare_for_rows() const;

  /// Throws Error(memory) unless it fits: "SUBJECT need 4.0 GiB (most of it WHAT), this machine has 2.0 GiB", about the
  /// option `place`.
  void check(const std::string& subject, const std::string& place, const std::string& hint) const;

 private:
  double budget_;
  bool limited_;
  double bytes_ = 0;
  std::vector<std::pair<std::string, double>> entries_;
};

/// The largest count up to `most`, a multiple of `step`, for which fits(count) holds; 0: none. What a count needs must
/// grow with it.
Index largest_that_fits(Index most, Index step, const std::function<bool(Index count)>& fits);

}  // namespace weft::detail
