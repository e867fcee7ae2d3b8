// From a table to the input columns of a feature map, and from its target to numbers.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder_statistics.hpp>
#include <weft/inputs.hpp>
#include <weft/run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class Task { none, regression, binary, multiclass };  ///< none: the data have no target
const char* task_name(Task task);

/// balanced: every class has the same total weight, whatever its number of rows.
enum class ClassWeighting { none, balanced };
constexpr auto choice_names(ClassWeighting) {
  return std::array{"none", "balanced"};
}

struct TargetInfo {
  Task task = Task::none;
  std::vector<std::string> names;    ///< target columns (several: multi-output regression)
  std::vector<std::string> classes;  ///< class labels in order (numbers ascending, else text ascending)
};

/// What an input column holds, for transforms of the inputs that treat columns by their kind.
enum class ColumnKind {
  ranked,        ///< a number, rank to normal
  standardised,  ///< a number, mean 0 and variance 1
  number,        ///< a number with another scaling, or none
  one_hot,       ///< one category of a variable, or whether it is missing
  effect,        ///< of a variable's category on the target (LevelStatistics)
  bias
};

/// One block of encoded rows, as feature maps and fits read them.
struct Block {
  Matrix x;  ///< inputs × rows: the values of one input column are contiguous
  Matrix y;  ///< targets × rows: numbers, or one row of class positions 0 … K-1; empty without target
  std::vector<double> weights;  ///< one per row; empty when all are 1
  Matrix levels;  ///< variables with many categories × rows: the position of the category, -1: none of them
  Index first_row = 0;
  Index rows() const { return x.cols(); }
};

class LevelStatistics;

/// Fitted on the training rows, then frozen. Matches columns by name, so a reordered file encodes alike.
class Encoder {
 public:
  /// The encoder of EncoderStatistics::of(data, options, run), which is one pass over the data; where a column has many
  /// categories, a second pass gathers LevelStatistics.
  static Encoder fit(const Data& data, const EncodeOptions& options, const Run& run = {});
  /// Throws if there are no rows, or if a column cannot be encoded. With a target, columns of many categories
  /// (EncodeOptions::max_levels) have effects of 0 until with_effects() is called.
  static Encoder fit(const EncoderStatistics& statistics, const Run& run = {});
  /// With the effects of categories that follow from the statistics, which were gathered with this encoder.
  Encoder with_effects(const LevelStatistics& statistics, const Run& run = {}) const;

  /// The same for the inputs alone: the columns of target and weights are left out, whatever they contain.
  static Encoder fit_inputs(const Data& data, const EncodeOptions& options, const Run& run = {});

  /// The same inputs with the target, and the number of rows, of another table.
  Encoder with_target_of(const Data& data, const Run& run = {}) const;

  const EncodeOptions& options() const;
  const Inputs& inputs() const;
  std::vector<ColumnKind> column_kinds() const;     ///< one per column of inputs()
  std::vector<std::string> variable_names() const;  ///< of the table's columns, one per variable of inputs()
  const TargetInfo& target() const;
  Index rows_seen() const;  ///< rows of the data it was fitted on

  struct MissingCount {
    std::string variable;
    Index cells;
    bool all;  ///< there was no other cell: the variable is not used
  };
  /// Of the rows it was fitted on, by MissingCells::indicate; variables without missing cells are left out.
  std::vector<MissingCount> missing_cells() const;

  struct DateColumn {
    std::string variable;
    std::vector<std::string> parts;  ///< that are inputs: year, month, day, weekday, hour, seconds
  };
  std::vector<DateColumn> date_columns() const;

  struct LevelCount {
    std::string variable;
    Index levels;    ///< categories
    Index frequent;  ///< those with an input of their own
  };
  /// Variables with more categories than EncodeOptions::max_levels, encoded by effects on the target.
  std::vector<LevelCount> many_levels() const;

  /// The same inputs, with other rules for cells that are missing or hold unseen categories.
  Encoder with_rules(MissingCells missing, UnseenCategories unseen) const;

  /// The same for these of its variables, ascending, alone: the others are not read.
  Encoder with_variables(const std::vector<Index>& variables) const;

  /// Reads a table in encoded blocks; `run` gives the threads. Columns are found by name: others are ignored. The
  /// target is the column that the data's own options name, else the one of that name in training; weights are those
  /// that the data's options name. `with_target` false ignores target and weights, present or not. run.warn() gets
  /// the number of unseen categories, and of missing cells where training had none.
  class BlockReader {
   public:
    virtual ~BlockReader() = default;
    /// Every block has `rows` rows (at most 65536), however the table is stored or cut; only the last may have fewer.
    virtual bool next(Block& block, Index rows) = 0;
    virtual double fraction() const = 0;
  };
  std::unique_ptr<BlockReader> open(const Data& data, bool with_target, const Run& run = {}) const;
  /// The same for the rows it was fitted on, or some that follow row `first_row` of them: effects of categories are
  /// those estimated without the row's fold, so that no input contains the row's own target.
  std::unique_ptr<BlockReader> open_training(const Data& data, bool with_target, const Run& run = {},
                                             Index first_row = 0) const;

  /// The fitted state as JSON text; numbers come back bit for bit. Any other text throws Error(model).
  std::string to_json() const;
  static Encoder from_json(const std::string& text);

  struct State;
  static Encoder from_state(State state);  // State is weft's own
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Class position of every row, for stratified splits; empty for regression and without a target.
std::vector<Index> row_classes(const Encoder& encoder, const Data& data, const Run& run = {});
/// The same with the classes that the rows themselves have, in one pass.
struct RowClasses {
  Index rows = 0;
  std::vector<Index> classes;
};
RowClasses row_classes(const Data& data, const EncodeOptions& encode, const Run& run = {});

struct SplitOptions {
  double holdout = 0.25;
  std::uint64_t seed = 1;
};

/// 1 for rows held out, 0 for the others: round(holdout · rows) of them, seeded, and stratified where `classes` (one
/// per row) is not empty. The same rows are held out wherever the seed, the classes and the number of rows are the
/// same.
std::vector<std::uint8_t> split(Index rows, const std::vector<Index>& classes, const SplitOptions& options);
/// Rows to fit and rows held out, cut by split() with the classes the encoding finds, or by the rule that the data's
/// options name: whole groups or folds, or the latest rows, about as many.
struct DataSplit {
  Data train;
  Data test;
};
DataSplit hold_out(const Data& data, const EncodeOptions& encode, const SplitOptions& options, const Run& run = {});
/// The rows in which no target is missing; the number of others goes to run.warn() at the end of a pass. Targets are
/// those that the data's options name, else the columns of these names.
Data rows_with_target(const Data& data, const std::vector<std::string>& names, const Run& run = {});
/// 1 for `per_class` rows of every class (one position per row), seeded; throws where a class has fewer.
std::vector<std::uint8_t> choose_labelled(const std::vector<Index>& classes, Index per_class, std::uint64_t seed);
/// Fold 0 … folds-1 of every row: seeded, balanced, and stratified where `classes` is not empty.
std::vector<Index> assign_folds(Index rows, const std::vector<Index>& classes, Index folds, std::uint64_t seed);

}  // namespace weft
