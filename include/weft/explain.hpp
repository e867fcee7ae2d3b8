// Analysis of a fitted model: errors with intervals, the effect of every variable, the learned activation.
#pragma once

#include <weft/learned_activation.hpp>
#include <weft/model.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// A number estimated from rows, with its 95 % interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;

  std::string to_json() const;
};

/// Measures of `evaluate` with their intervals.
struct ErrorEstimates {
  struct Measure {
    std::string name;  ///< "error", "auc" and "logloss" of classes, "mse" and "mae" of numbers
    Estimate estimate;
  };
  Index rows = 0;
  std::vector<Measure> measures = {};

  std::string to_json() const;
};

/// `data` are labelled rows that the model was not fitted on. The intervals are Wilson's for the error, DeLong's for
/// the auc, and value ± 1.96 standard errors for means. Holds the predictions of all rows in memory.
ErrorEstimates estimate_errors(const Model& model, const Data& data, const Run& run = {});

struct ImportanceOptions {
  Index rows = 0;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = ImportanceOptions;
    return std::tuple{
        Field{"rows", &O::rows, Allowed::at_least(0),
              "number of rows to use, evenly spaced; 0: 1000, or fewer with more than 200 variables"},
        Field{"seed", &O::seed, Allowed::anything(), "seed of the permutation"},
    };
  }
};

/// How much each variable changes the prediction (of classes: the scores).
struct VariableImportance {
  struct Variable {
    std::string name;
    double effect = 0;  ///< √(½ mean (f(x) − f(x'))²), x' being x with the variable's value from another row
  };
  Index rows = 0;                        ///< that were used
  std::vector<Variable> variables = {};  ///< largest effect first

  std::string to_json() const;
};

/// Where f is a sum of functions of one variable each, as for stumps, the effect is the standard deviation of the
/// variable's own function; otherwise interactions count for every variable that takes part. Of several outputs it is
/// the root of the sum of squares. `data` need no target; their values are encoded as in training.
VariableImportance variable_importance(const Model& model, const Data& data, const ImportanceOptions& options = {},
                                       const Run& run = {});

/// A learned activation h = Σ a_i B_i at evenly spaced points of the interval that its basis covers.
struct ActivationCurve {
  ActivationBasis basis;
  std::vector<double> coefficients;  ///< N: the a_i
  std::vector<double> z;
  std::vector<double> value;  ///< h(z)
  Matrix terms;               ///< N × points: a_i B_i(z)

  std::string to_json() const;  ///< without the terms
};

/// None where the model has no learned activation.
std::optional<ActivationCurve> activation_curve(const Model& model, Index points = 201);

}  // namespace weft
