// A model as a small program over tables: what every target language is written from. A writer prints the tables and
// the loops over them in its language (runtime/), or nodes of a graph (ONNX); it never looks at the model.
//
// Rows refer to each other by position. Numbers that there may be many of are slices of `parameters`, which is either
// part of a program's text or a file beside it; −1 stands for "none".
#pragma once

#include <weft/export.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::detail {

/// z = (v − shift)·factor, or, where there are knots, linear between them and constant outside: `count` values in
/// ascending order at parameters[knots], then their scores.
struct ScaleStep {
  double shift = 0;
  double factor = 1;
  Index knots = -1;
  Index count = 0;
};

/// The labels of a category, sorted by bytes, and the labels that are numbers, ascending, one per number.
struct LevelTable {
  Index labels = 0;  ///< in Program::labels
  Index count = 0;
  Index positions = 0;  ///< in integers: of each label among the categories
  Index numbers = -1;   ///< in parameters
  Index number_count = 0;
  Index number_positions = 0;  ///< in integers
  Index one_hot = -1;          ///< in integers: category → its input, −1: none; none: the category itself
  Index effects = -1;          ///< in parameters: outputs × categories
  Index effect_count = 0;      ///< outputs
  Index effect_scales = 0;     ///< in scales
};

/// The parts of a date that are inputs, by number: year, month, day, weekday, hour, seconds.
struct DateTable {
  double start = 0;
  Index parts = 0;  ///< in integers
  Index count = 0;
  Index fills = 0;  ///< in parameters
};

enum class CellReader { number, boolean, date, category, unused };

/// One column of the table.
struct ColumnStep {
  std::string name;
  CellReader reader = CellReader::number;
  Index cell = -1;   ///< among the numbers, or the texts
  Index input = 0;   ///< the first of its inputs
  Index scales = 0;  ///< in scales: one per input but those of effects and of the indicator
  Index scale_count = 0;
  Index table = -1;      ///< in dates or levels
  Index indicator = -1;  ///< in scales: of its last input, 1 where the cell is missing
  Index indicator_input = -1;
  double fill = 0;  ///< in place of missing cells: a number, or a category

  bool is_text() const { return reader != CellReader::number && reader != CellReader::unused; }
};

/// An activation, or its smoothing.
struct ActivationStep {
  std::string formula;  ///< "relu", "rbf", "bspline", …
  bool smoothed = false;
  Index learned = -1;

  friend bool operator==(const ActivationStep&, const ActivationStep&) = default;
};

/// Σ a_i B_i of copies of one bump (LearnedActivation): rbf with a width, or B-splines of a degree.
struct LearnedStep {
  Index count = 0;
  double first = 0;  ///< centre of the first rbf, or the first knot
  double step = 1;
  double width = 1;
  Index degree = 0;
  Index coefficients = 0;  ///< in parameters
};

/// Features h(⟨w, x_J⟩ + b) of the columns J, or S_h with the spread s·‖x_J‖; stumps: h(x_j + b), spread s.
struct FeatureGroup {
  Index activation = 0;
  double spread = 0;
  bool axis = false;
  Index columns = -1;  ///< in integers; none: all
  Index width = 0;
  Index count = 0;         ///< features
  Index weights = -1;      ///< in parameters: count × width; none of stumps
  Index offsets = -1;      ///< in parameters; none: all 0
  Index coefficients = 0;  ///< in parameters: count × outputs
};

/// k(z, x) as a function of one number of both rows: exp(−(rate·d)^power) with d = ‖z − x‖₁ or ‖z − x‖², or the angular
/// kernel.
struct KernelStep {
  std::string formula;  ///< "laplace", "rbf" or "angular"
  double rate = 1;
  double power = 1;

  friend bool operator==(const KernelStep&, const KernelStep&) = default;
};

/// Σ a_t k(z_t, x) over landmarks, rows of `width` numbers from parameters[landmarks] on.
struct SectionGroup {
  Index kernel = 0;
  Index landmarks = 0;
  Index width = 0;
  Index positions = -1;  ///< in parameters: rows of the landmarks; none: the first ones in order
  Index count = 0;
  Index coefficients = 0;  ///< in parameters: count × outputs
};

struct LeafStep {
  Index intercepts = 0;  ///< in parameters
  Index groups = 0;      ///< in Program::groups
  Index group_count = 0;
  Index sections = -1;  ///< in Program::sections
};

/// As weft::Split, with leaves and splits counted from those of the whole program: child c ≥ 0 is a split, else leaf
/// −1 − c.
struct SplitStep {
  Index input = 0;
  double threshold = 0;
  Index below = 0;
  Index above = 0;
};

struct MemberStep {
  double weight = 1;
  Index columns = -1;  ///< in integers; none: all
  Index count = 0;     ///< columns
  Index factors = -1;  ///< in parameters; none: all 1
  Index matrix = -1;   ///< in parameters: inputs × count; none: the identity
  Index inputs = 0;    ///< of its own
  Index root = -1;     ///< split, or −1 − leaf
};

/// From the scores of a row to what the program returns.
struct LinkStep {
  /// Numbers: as they are, exp, or ascending. Classes: the position of one, and probabilities where there are any.
  enum class Kind { numbers, poisson, quantiles, binary, multiclass };
  Kind kind = Kind::numbers;
  bool probabilities = false;
  Index slopes = -1;  ///< in parameters: calibration, slopes and then offsets; none: scores are log-odds or logits
  std::optional<double> threshold = {};  ///< of the probability of the second of two classes
  /// In parameters: what is added to the numbers for the lower ends of intervals, then for the upper; none: no ends.
  /// Those of counts are at least 0.
  Index ends = -1;
};

struct Program {
  Index inputs = 0;
  Index outputs = 0;      ///< scores
  Index most_inputs = 0;  ///< of a member or the encoder
  bool bias = false;      ///< the last input is 1
  MissingCells missing = MissingCells::indicate;
  bool unseen_ignored = true;
  std::vector<std::string> na_values = {};  ///< cells that the user calls missing
  std::vector<ColumnStep> columns = {};
  std::vector<ScaleStep> scales = {};
  std::vector<LevelTable> levels = {};
  std::vector<DateTable> dates = {};
  std::vector<std::string> labels = {};
  std::vector<MemberStep> members = {};
  std::vector<SplitStep> splits = {};
  std::vector<LeafStep> leaves = {};
  std::vector<ActivationStep> activations = {};
  std::vector<LearnedStep> learned = {};
  std::vector<FeatureGroup> groups = {};
  std::vector<KernelStep> kernels = {};
  std::vector<SectionGroup> sections = {};
  Index intercepts = 0;  ///< in parameters
  LinkStep link = {};
  std::vector<std::string> targets = {};  ///< names of what is predicted
  std::vector<std::string> classes = {};
  std::vector<Index> integers = {};
  std::vector<double> parameters = {};

  Index values() const;  ///< numbers that a prediction has
  std::vector<std::string> value_names() const;
  std::vector<std::string> number_columns() const;
  std::vector<std::string> text_columns() const;

  Index add(const std::vector<double>& numbers);  ///< to parameters; where they begin
  Index add(const double* numbers, Index count);
  Index add(const std::vector<Index>& numbers);  ///< to integers
};

/// Throws Error(option) for what no target can express.
Program program_of(const Model& model, const ExportOptions& options);

// Its parts.
void add_encoder(const Encoder& encoder, Program& program);

/// Different landmarks of members with the same transform: leaves share rows.
class LandmarkRows {
 public:
  explicit LandmarkRows(Index width) : width_(width) {}
  Index width() const { return width_; }
  Index add(const double* row);  ///< the position of a row with these bits
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  Index width_;
  std::vector<double> numbers_;
  std::unordered_map<std::string, Index> places_;  ///< by bytes
};

/// A leaf's features and sections; the landmarks of its section are rows of the table from row `landmarks` on until
/// place_landmarks() has put the table among the parameters.
LeafStep add_leaf(const FeatureMap& map, const Matrix& coefficients, const std::vector<double>& intercepts,
                  LandmarkRows& rows, Program& program);

}  // namespace weft::detail
