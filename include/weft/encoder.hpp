// From the user's table to the columns a feature map sees, and from the user's target to numbers.
#pragma once

#include <weft/data.hpp>
#include <weft/inputs.hpp>
#include <weft/run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

struct EncodeOptions {
  std::string scale = "quantile";
  std::string missing = "error";
  std::string unseen = "error";
  std::string task = "auto";
  bool bias = true;

  static auto fields() {
    using O = EncodeOptions;
    return std::tuple{
        Field{"scale", &O::scale, Allowed::one_of({"standard", "minmax", "quantile", "none"}),
              "scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, or none"},
        Field{"missing", &O::missing, Allowed::one_of({"error", "impute"}),
              "missing cells: an error, or the column's mean (numbers) or most frequent category"},
        Field{"unseen", &O::unseen, Allowed::one_of({"error", "ignore"}),
              "categories that training did not see: an error, or all zeros in their one-hot group"},
        Field{"task", &O::task, Allowed::one_of({"auto", "regression", "classification"}),
              "what the target means; auto: text, two values, or few integers are classes"},
        Field{"bias", &O::bias, Allowed::anything(), "add a constant input column"},
    };
  }
};

enum class Task { none, regression, binary, multiclass };  ///< none: the data have no target
const char* task_name(Task task);

struct TargetInfo {
  Task task = Task::none;
  std::vector<std::string> names;    ///< target columns (several: multi-output regression)
  std::vector<std::string> classes;  ///< class labels in order (numbers ascending, else text ascending)
};

/// What feature maps and fits eat: one block of encoded rows.
struct Block {
  Matrix x;  ///< inputs × rows: the values of one input column are contiguous
  Matrix y;  ///< targets × rows: numbers, or one row of class positions 0 … K-1; empty without target
  std::vector<double> weights;  ///< one per row; empty when all are 1
  Index first_row = 0;
  Index rows() const { return x.cols(); }
};

/// Fitted on the training rows, then frozen. Matches columns by name, so a reordered file encodes alike.
class Encoder {
 public:
  /// One pass over the data (a second for the quantile scaler is not needed: it keeps a seeded sample of each column).
  static Encoder fit(const Data& data, const EncodeOptions& options, const Run& run = {});

  /// The same for the inputs alone: the columns of target and weights are left out, whatever they hold.
  static Encoder fit_inputs(const Data& data, const EncodeOptions& options, const Run& run = {});

  /// The same inputs with the target, and the number of rows, of another table.
  Encoder with_target_of(const Data& data, const Run& run = {}) const;

  const EncodeOptions& options() const;
  const Inputs& inputs() const;
  const TargetInfo& target() const;
  Index rows_seen() const;  ///< rows of the data it was fitted on

  /// Streams encoded blocks of a table; `run` gives the threads. Columns are found by name: others are ignored. The
  /// target is the column that the data's own options name, else the one of that name in training; weights are those
  /// that the data's options name. `with_target` false ignores target and weights, present or not.
  class Stream {
   public:
    virtual ~Stream() = default;
    virtual bool next(Block& block, Index max_rows) = 0;
    virtual double fraction() const = 0;
  };
  std::unique_ptr<Stream> open(const Data& data, bool with_target, const Run& run = {}) const;

  /// The fitted state as JSON text; numbers come back bit for bit. Text that is no encoder throws Error(model).
  std::string to_json() const;
  static Encoder from_json(const std::string& text);

  struct State;

 private:
  std::shared_ptr<const State> state_;
};

/// Class position of every row, for stratified splits; empty for regression and without a target.
std::vector<Index> row_classes(const Encoder& encoder, const Data& data, const Run& run = {});

struct SplitOptions {
  double holdout = 0.25;
  std::uint64_t seed = 1;
};

/// 1 for rows held out, 0 for the others: round(holdout · rows) of them, seeded, and stratified where `classes` (one
/// per row) is not empty. The same rows are held out wherever the seed, the classes and the number of rows are the
/// same.
std::vector<std::uint8_t> split(Index rows, const std::vector<Index>& classes, const SplitOptions& options);
/// Rows to fit and rows held out, cut by split() with the classes the encoding finds.
struct DataSplit {
  Data train;
  Data test;
};
DataSplit hold_out(const Data& data, const EncodeOptions& encode, const SplitOptions& options, const Run& run = {});
/// 1 for `per_class` rows of every class (one position per row), seeded; throws where a class has fewer.
std::vector<std::uint8_t> choose_labelled(const std::vector<Index>& classes, Index per_class, std::uint64_t seed);
/// Fold 0 … folds-1 of every row: seeded, balanced, and stratified where `classes` is not empty.
std::vector<Index> assign_folds(Index rows, const std::vector<Index>& classes, Index folds, std::uint64_t seed);

}  // namespace weft
