// Which rows belong together, or come first, wherever rows are held out or dealt to folds: the one place that decides.
// A rule goes along with the rows of a fit (BlockSource::rule) and of every selection of them.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include "core/random.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::detail {

/// part_of(row) in 0 … parts-1 for a 0-based row of the table.
using PartOf = std::function<Index(Index row)>;

/// Rows in parts. Each is predicted by a fit to the parts that train it: all others, or those before it.
struct Folds {
  Index parts = 0;
  std::vector<Index> of_row;
  bool forward = false;  ///< parts follow each other in time: the first is not predicted

  Index first() const { return forward ? 1 : 0; }  ///< the first part that is predicted
  bool trains(Index part, Index predicted) const { return forward ? part < predicted : part != predicted; }
  /// In the form that grouping rows by part needs; refers to this.
  PartOf part_of() const {
    return [this](Index row) { return of_row[static_cast<std::size_t>(row)]; };
  }
};

class RowRule {
 public:
  enum class Kind { none, folds, groups, times };

  RowRule() = default;
  /// One key per row, at least two different ones: its fold, its group, or the position of its time among all times.
  RowRule(Kind kind, std::string column, std::vector<Index> keys);
  /// What the data's options name, in one pass over the rows; none where they name nothing. Throws where the column is
  /// not there, has missing cells or a single key.
  static RowRule of(const Data& data, const Run& run = {});

  bool none() const { return kind_ == Kind::none; }
  Kind kind() const { return kind_; }
  const std::vector<Index>& keys() const { return *keys_; }
  /// The rule of the rows that are kept; none where they have one key, as the first part of times may: what is chosen
  /// on rows of one group can only be chosen on some of them.
  RowRule subset(const std::vector<bool>& keep) const;
  RowRule subset(std::span<const Index> rows) const;

  /// 1 for rows held out, about a share of them, else 0. Without a rule every row by its draw; with one whole folds or
  /// groups, in the order of their draws, or the latest times.
  PartOf held_out(const Random& draws, double share) const;

  /// Seeded, balanced, and stratified where `classes` (one per row) is not empty. Groups are dealt out whole, so that
  /// there are never more folds than groups; so are folds that a column names, unless there are no more of them than
  /// are wanted, which are taken as they are. Times are cut into one part more than folds are wanted, which follow each
  /// other; equal times are in one part.
  Folds folds(Index rows, Index wanted, const std::vector<Index>& classes, std::uint64_t seed) const;

  /// For reports: "rows of the same shop stay together (50 groups)"; empty where there is no rule.
  std::string describe() const;

 private:
  RowRule with_keys(std::vector<Index> keys) const;
  std::vector<Index> counts() const;  ///< rows of each key

  Kind kind_ = Kind::none;
  std::string column_;
  std::shared_ptr<const std::vector<Index>> keys_;
};

/// Of each key, by the numbers of their rows, whether it is held out: what RowRule::held_out does. All have rows.
std::vector<std::uint8_t> held_out_keys(RowRule::Kind kind, const std::vector<Index>& counts, const Random& draws,
                                        double share);
/// For reports: "rows of the same shop stay together (50 groups)".
std::string describe_rule(RowRule::Kind kind, const std::string& column, Index several);

/// Is there one key at most, so that no rule can hold any out?
bool one_key(const std::vector<Index>& keys);

/// Position of the column that the data's rule names; throws where it is not there.
std::optional<Index> rule_column(const Data& data, const std::vector<Column>& columns);

}  // namespace weft::detail
