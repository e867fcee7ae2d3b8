// Fits by sums over parts of a table, which are made anywhere and merged: a plan, sums of every part, one solution.
#pragma once

#include <weft/fit.hpp>
#include <weft/level_statistics.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// Some rows of a table, which follow those of the part before.
struct TablePart {
  std::string name;
  Index first_row = 0;  ///< its number in the whole table
  Index rows = 0;
  std::uint64_t checksum = 0;  ///< of its cells
};

/// What a plan has to know of a part, or of several that follow each other: the statistics of their columns, and what
/// identifies them.
class PartStatistics {
 public:
  /// One pass, two where the part's options name groups, times or folds. `part` must name a target and consist of rows
  /// that have one. `first_row`: its number in the whole table;
  /// the quantiles of the scaling, held-out rows and rows that are scored are drawn by the number of the row. `texts`:
  /// columns to read as texts, because they are texts in other parts.
  static PartStatistics of(const Data& part, const EncodeOptions& encode, const Run& run = {}, Index first_row = 0,
                           const std::vector<std::string>& texts = {});

  /// Adds the statistics of the parts that follow.
  void merge(const PartStatistics& next);

  const std::vector<TablePart>& parts() const;
  Index first_row() const;
  Index rows() const;
  const EncoderStatistics& columns() const;
  const ReadOptions& read() const;                ///< of the part's table
  const std::vector<std::string>& texts() const;  ///< columns that are texts

  /// Versioned, little-endian, with a checksum; written completely or not at all. Damaged and foreign bytes throw
  /// Error(model), whose place is the path or `name`.
  void save(const std::string& path) const;
  static PartStatistics load(const std::string& path);
  static bool is_file(const std::string& path);  ///< a file that weft wrote as anything but a table
  std::string to_bytes() const;
  static PartStatistics from_bytes(const std::string& bytes, const std::string& name = "statistics");

  struct State;
  explicit PartStatistics(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// "statistics", "plan" or "sums": what weft wrote to this file; empty: something else, or nothing.
std::string part_file_contents(const std::string& path);

/// Rows of the whole table, for features that are chosen by them.
struct DrawnRows {
  Data table;                  ///< these rows
  std::vector<Index> numbers;  ///< in the whole table; they ascend
};

struct PlanRequest {
  std::vector<PartStatistics> statistics;  ///< of all rows, in any order
  FamilyOptions family = {};
  FitOptions fit = {};
  Run run = {};
  /// The parts themselves, one for each of `statistics`, which are of one part each: needed where features are chosen
  /// by the rows (landmarks) or a column has many categories (EncodeOptions::max_levels), unless the two below are
  /// given.
  std::vector<Data> tables = {};
  std::optional<LevelStatistics> levels = {};  ///< of all rows, gathered with Encoder::fit of the merged statistics
  std::optional<DrawnRows> drawn = {};         ///< those that rows_to_draw() names
};

/// Of all rows, in their order. Throws where a part is missing, or there twice.
PartStatistics merged(std::vector<PartStatistics> statistics);
/// Numbers of the rows by which features are chosen, ascending; empty where none are needed. Throws where more is
/// needed than a sample of the rows.
std::vector<Index> rows_to_draw(const PlanRequest& request);

/// Everything that a fit decides before it sums rows: the parts of the table, the encoder, the features, the options,
/// which rows choose λ and which are scored for intervals and probabilities (of groups, times or folds: held-out ones,
/// by the fit to the others). Cheap to copy.
class Plan {
 public:
  /// Throws, with the remedy, where sums do not determine what is asked for.
  static Plan of(const PlanRequest& request);
  /// The same for tables that are parts of one, in this order; a pass over each for its statistics.
  static Plan of(const std::vector<Data>& parts, const FamilyOptions& family, const FitOptions& fit,
                 const EncodeOptions& encode = {}, const Run& run = {});

  const std::vector<TablePart>& parts() const;
  const Encoder& encoder() const;
  const FeatureMap& map() const;
  const FamilyOptions& family() const;
  const FitOptions& fit() const;
  Index rows() const;              ///< of all parts
  std::string validation() const;  ///< how rows are held out together, in words; empty: by their numbers
  std::uint64_t number() const;    ///< of this plan: sums of plans with other numbers do not merge

  /// A table as the parts were read; rows without a target are left out.
  Data read(const std::string& path, const Run& run = {}) const;

  /// As of PartStatistics.
  void save(const std::string& path) const;
  static Plan load(const std::string& path);
  std::string to_bytes() const;
  static Plan from_bytes(const std::string& bytes, const std::string& name = "plan");
  std::string to_json() const;

  struct State;
  explicit Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// The sums over some parts of a plan, and the plan. Sums of all parts merge to those that fit() solves, up to the
/// rounding of additions: with one part bit for bit.
class Sums {
 public:
  /// One pass to recognise the part and one to sum its rows. Throws where the table is not one of the plan's parts, or
  /// one of several with the same rows, unless it is said which, by its first row.
  static Sums of(const Plan& plan, const Data& part, const Run& run = {}, std::optional<Index> first_row = {});

  /// Adds the sums of other parts. Throws where they are of another plan, or of a part that is in these.
  void merge(const Sums& others);

  const Plan& plan() const;
  std::vector<TablePart> parts() const;    ///< those summed, in the plan's order
  std::vector<TablePart> missing() const;  ///< the others
  Index rows() const;                      ///< of the parts summed

  /// As of PartStatistics. The bytes contain the plan.
  void save(const std::string& path) const;
  static Sums load(const std::string& path);
  std::string to_bytes() const;
  static Sums from_bytes(const std::string& bytes, const std::string& name = "sums");
  std::string to_json() const;

  struct State;
  explicit Sums(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

struct SolveOptions {
  std::optional<double> lambda = {};
  bool allow_missing = false;

  static auto fields() {
    using O = SolveOptions;
    return std::tuple{
        Field{"lambda", &O::lambda, Allowed::positive(),
              "regularisation strength; not given: that of the plan, else chosen on the plan's held-out rows"},
        Field{"allow_missing", &O::allow_missing, Allowed::anything(),
              "fit the parts that are there, where others of the plan are missing"},
    };
  }
};

/// The model that fit() gives for the table of all parts: coefficients, probabilities, intervals. Throws where parts
/// are missing, unless that is allowed: then the model's report has a warning.
Model solve(const Sums& sums, const SolveOptions& options = {}, const Run& run = {});

}  // namespace weft
