// What PartStatistics, Plan and Sums hold.
#pragma once

#include <weft/sums.hpp>

#include "data/rows/block_source.hpp"
#include "data/rows/gather_rows.hpp"
#include "data/rows/rule_values.hpp"
#include "methods/fold_rows.hpp"

#include <string>
#include <vector>

namespace weft {

struct PartStatistics::State {
  Index first_row = 0;
  std::vector<TablePart> parts;  ///< that have rows
  EncoderStatistics columns;
  ReadOptions read;
  std::vector<std::string> texts;
  detail::RuleValues rule = {};  ///< none: rows are held out by their numbers
};

struct Plan::State {
  std::vector<TablePart> parts;  ///< that have rows, in their order
  ReadOptions read;
  std::vector<std::string> texts;
  Encoder encoder;
  FamilyOptions family;
  FitOptions fit;
  FeatureMap map;
  std::vector<double> class_factors = {};  ///< of balanced classes
  detail::HeldOutValues held_out = {};     ///< none: rows are held out by their numbers
  std::uint64_t number = 0;
};

struct Sums::State {
  Plan plan;
  std::vector<Index> parts = {};     ///< positions among the plan's, ascending
  detail::PartSums sums = {};        ///< fitted and, where λ is to be chosen, held out; none before the first part
  detail::GatheredRows sample = {};  ///< rows to score
  std::vector<Index> numbers = {};   ///< of those, ascending
};

namespace detail {

/// Rows of which not all are there: blocks have the numbers of the rows in the whole table.
class DrawnBlocks final : public BlockSource {
 public:
  /// Both must outlive it.
  DrawnBlocks(const GatheredRows& drawn, const std::vector<Index>& numbers, Index rows)
      : drawn_(drawn), numbers_(numbers), rows_(rows) {}

  Index rows() const override { return rows_; }
  Index outputs() const override { return drawn_.y.rows(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override;

 private:
  const GatheredRows& drawn_;
  const std::vector<Index>& numbers_;
  Index rows_;
};

/// The rows of a part, with their numbers in the whole table, encoded by the plan's encoder.
class PartBlocks final : public BlockSource {
 public:
  PartBlocks(const Encoder& encoder, const Data& table, const TablePart& part, std::vector<double> class_factors,
             const Run& run);

  Index rows() const override { return part_.rows; }
  Index outputs() const override { return streamed_->outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override;

 private:
  TablePart part_;
  std::unique_ptr<BlockSource> streamed_;
};

/// With the number that follows from everything else in it.
Plan numbered(Plan::State state);

}  // namespace detail
}  // namespace weft
