// What a model has learned: which variables matter, how predictions depend on them and on pairs of them, and why a row
// is predicted as it is (docs/explain.md).
#pragma once

#include <weft/explain.hpp>

#include <memory>

namespace WEFT_PUBLIC weft {

struct ExplainOptions {
  Index rows = 0;
  Index repeats = 4;
  std::string variables = "";
  Index curves = 4;
  Index points = 20;
  Index interactions = 6;
  Index permutations = 200;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = ExplainOptions;
    return std::tuple{
        Field{"rows", &O::rows, Allowed::at_least(0),
              "number of rows to use, evenly spaced; 0: 1000, or fewer with more than 50 variables"},
        Field{"repeats", &O::repeats, Allowed::at_least(1), "times that the values of every variable are exchanged"},
        Field{"variables", &O::variables, Allowed::anything(),
              "variables whose curves are computed, separated by commas; not given: the most important ones"},
        Field{"curves", &O::curves, Allowed::at_least(0), "number of curves where no variables are given"},
        Field{"points", &O::points, Allowed::at_least(2), "points of a curve"},
        Field{"interactions", &O::interactions, Allowed::at_least(0),
              "number of variables, the most important ones, whose pairs are compared"},
        Field{"permutations", &O::permutations, Allowed::at_least(2),
              "orders of the variables that are averaged in the explanation of a row, where it is not exact"},
        Field{"seed", &O::seed, Allowed::anything(), "random seed"},
    };
  }
};

/// How much a variable matters: what changes when its value is taken from another row.
struct VariableEffect {
  std::string name;
  Estimate effect;                       ///< as VariableImportance: a standard deviation of the prediction or score
  std::optional<Estimate> loss = {};     ///< by how much the loss grows (permutation importance); none without targets
  std::optional<double> relevance = {};  ///< of the fit, the largest 1, where it learned any
};

/// Predictions as a function of one variable, every row keeping its other values.
struct DependenceCurve {
  std::string variable;
  std::vector<std::string> categories = {};  ///< x where the variable is a category, else empty
  std::vector<double> values = {};           ///< x where it is a number
  std::vector<std::string> outputs = {};     ///< targets, or classes; of two classes the second
  Matrix mean = {};                          ///< points × outputs: partial dependence
  Matrix low = {};                           ///< points × outputs: tenth percentile of the rows
  Matrix high = {};                          ///< and ninetieth
  std::vector<Index> rows = {};              ///< whose own curves follow, counted from 0 in the table
  Matrix individual = {};                    ///< points × rows, of the first output

  Index points() const { return mean.rows(); }
};

/// √(¼ mean (f − f_j − f_k + f_jk)²), f_j being the prediction with variable j from another row: 0 where f is a
/// function without j plus one without k; the standard deviation of the interaction where it is one of these two alone
/// and they are independent (Liu & Owen 2006).
struct Interaction {
  std::string first;
  std::string second;
  Estimate strength;
};

struct Explanation {
  Index rows = 0;                          ///< that were used
  std::string loss = {};                   ///< "mse", "logloss" or "error"; empty without targets
  std::optional<double> loss_before = {};  ///< with the rows as they are
  std::string curves_of = {};              ///< "prediction", "probability" or "score"
  std::vector<VariableEffect> variables = {};
  std::vector<DependenceCurve> curves = {};
  std::vector<Interaction> interactions = {};

  std::string to_json() const;
};

/// `data` need no target; where they have it, rows without a value of it are left out, unless missing cells are errors
/// to the model. Variables are sorted by the growth of the loss, or by their effect where there are no targets.
/// Interactions are those among the first variables.
Explanation explain(const Model& model, const Data& data, const ExplainOptions& options = {}, const Run& run = {});

/// Why one row has its prediction (of classes: its scores): the Shapley values of its variables. A variable that a
/// coalition leaves out has its values from the background rows.
struct RowExplanation {
  struct Part {
    std::string variable;
    std::string cell;                    ///< its value in the table
    std::vector<double> value;           ///< one per output; base + Σ value = prediction
    std::vector<double> standard_error;  ///< of the sampled orders; 0 where exact
  };
  Index row = 0;                          ///< counted from 0
  std::vector<std::string> outputs = {};  ///< targets, or classes whose scores these are
  std::vector<double> base = {};          ///< mean prediction of the background rows
  std::vector<double> prediction = {};
  bool exact = false;            ///< features of one variable each: nothing is sampled
  std::vector<Part> parts = {};  ///< the largest first

  std::string to_json() const;
};

/// Explains rows, now and later. `background` are rows of the same kind, of which options.rows (0: 200) are read once
/// and kept. Any number of threads may call at once.
class RowExplainer {
 public:
  RowExplainer(const Model& model, const Data& background, const ExplainOptions& options = {}, const Run& run = {});
  ~RowExplainer();
  RowExplainer(RowExplainer&&) noexcept;
  RowExplainer& operator=(RowExplainer&&) noexcept;

  Index background_rows() const;
  /// All of them.
  std::vector<RowExplanation> explain(const Data& rows, const Run& run = {}) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// Of all `rows`; `background` are rows of the same kind, of which options.rows (0: 200) are used.
std::vector<RowExplanation> explain_rows(const Model& model, const Data& rows, const Data& background,
                                         const ExplainOptions& options = {}, const Run& run = {});

}  // namespace weft
