// Encoded rows as samplers and fits read them: blocks of numbers, any number of times. No files, no encoders.
#pragma once

#include <weft/matrix.hpp>

#include "data/rows/row_rule.hpp"
#include "distributed/row_share.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace weft::detail {

/// Rows per block of every fit: 2048 rows × 1000 features are 16 MB, and the Gram of a block runs at full speed.
inline constexpr Index kBlockRows = 2048;

/// Rows as a fit sees them: y holds one row per output; classes are coded −1 and +1 (binary: one output, else one per
/// class); weights are sample times class weights, nullptr when all are 1.
struct TrainingBlock {
  View<const double> x;  ///< inputs × rows
  View<const double> y;  ///< outputs × rows
  const double* weights = nullptr;
  Index first_row = 0;
  Index rows() const { return x.cols; }
};

/// The training rows, readable any number of times, always in the same blocks and order.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  virtual Index rows() const = 0;
  virtual Index outputs() const = 0;
  /// Calls consume(block) until the end or until it returns false.
  virtual void for_each(const std::function<bool(const TrainingBlock&)>& consume) const = 0;
  /// The rows as one block when they are held in memory, for algorithms that need random access; nullptr when streamed.
  virtual const TrainingBlock* in_memory() const = 0;

  /// How these rows may be held out and dealt to folds.
  const RowRule& rule() const { return rule_; }
  void set_rule(RowRule rule) { rule_ = std::move(rule); }

  /// Where the rows are shared out over processes: for_each then delivers those of this process alone, numbered as in
  /// the whole table, which rows() and the rule are about, and no block lies in two pieces. Null: all rows are here.
  const RowShare* share() const { return share_.get(); }
  void set_share(RowShare share) { share_ = std::make_shared<const RowShare>(std::move(share)); }

 private:
  RowRule rule_;
  std::shared_ptr<const RowShare> share_;
};

}  // namespace weft::detail
