// A fitted model: encoder, feature map and coefficients, in memory and as one file.
#pragma once

#include <weft/conformal.hpp>
#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>
#include <weft/fields.hpp>
#include <weft/member.hpp>
#include <weft/regression_loss.hpp>
#include <weft/run.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace WEFT_PUBLIC weft {

/// One of the alternatives that a fit compared on rows held out of the training.
struct TriedCandidate {
  std::string name;
  Index size = 0;  ///< most rows of a leaf, or landmarks
  double bandwidth = 0;
  double lambda = 0;
  double error = 0;      ///< mean squared, in units of the targets' variance
  double weight = 0;     ///< in the model; 0: not part of it
  bool partial = false;  ///< on part of the rows alone, and given up
};

/// Facts about a fit, in the order they were recorded: numbers and words by name ("lambda", "condition", "stopped", …).
struct FitReport {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::string>> words;
  std::vector<std::pair<std::string, double>> seconds;  ///< per stage
  std::vector<std::string> warnings;                    ///< what the user should know
  std::vector<TriedCandidate> tried;                    ///< in the order tried; empty: there was no choice

  void set(const std::string& name, double value);
  void set(const std::string& name, const std::string& value);
  std::optional<double> number(const std::string& name) const;
  /// Numbers and words by name, then "tried", "seconds" and "warnings" where there are any.
  std::string to_json() const;
};

/// p = 1 / (1 + exp(slope · f + offset)) per output (Platt). Empty: no calibration.
struct Calibration {
  std::vector<double> slope;
  std::vector<double> offset;
};

/// f(x) = intercepts + coefficientsᵀ · smoothings(x), or intercepts + Σ weight · member(x) where there are members:
/// then the map has no features and coefficients are empty. All parts of a model; Model wraps them read-only.
struct ModelParts {
  Encoder encoder;
  FeatureMap map;
  Matrix coefficients = {};             ///< features × outputs, of the smoothings (amplitudes folded in)
  std::vector<double> intercepts = {};  ///< outputs
  std::vector<Member> members = {};
  /// How much each variable of the encoder matters, the largest 1; empty: not measured.
  std::vector<double> relevance = {};
  bool probabilistic = false;  ///< outputs are log-odds (logistic) or logits (softmax)
  FittedLoss loss = {};        ///< of a regression: what the outputs mean, and how many there are
  Calibration calibration = {};
  /// Standard deviations: noise · √(1 + intercept_variance + (φ − means)ᵀ(LLᵀ)⁻¹(φ − means)), L the T × T lower factor
  /// (empty: none), means empty and intercept_variance 0 without an intercept, noise one residual deviation per output.
  Matrix variance_factor = {};
  std::vector<double> variance_means = {};
  double intercept_variance = 0;
  std::vector<double> noise = {};
  Conformity conformity = {};  ///< of rows that were predicted without them; empty: none
  FitReport report = {};
  std::map<std::string, std::string> options = {};     ///< every option of the fit, as text
  std::map<std::string, std::string> provenance = {};  ///< data name and shape, seed, command, library version
};

/// How much a variable of the table matters to a model.
struct Relevance {
  std::string variable;
  double value;  ///< the largest is 1
};

/// Norms of a model's weight functions α, one per output.
struct Norms {
  std::vector<double> rkhs;                     ///< ‖α‖_H
  std::optional<std::vector<double>> l2p = {};  ///< ‖α‖_{L²(p)}; none where a family has no weight kernel

  std::string to_json() const;
};

/// A block of predictions.
struct PredictionBlock {
  Index first_row = 0;
  Matrix scores;                ///< rows × outputs: f(x)
  Matrix values;                ///< rows × targets: numbers, or class positions; rows × quantiles of that loss
  Matrix probabilities;         ///< rows × classes, where the model has them
  Matrix std;                   ///< rows × outputs, where asked for: noise · √(1 + φᵀ(LLᵀ)⁻¹φ)
  Matrix lower;                 ///< rows × targets, where an interval of numbers is asked for
  Matrix upper;                 ///< likewise
  Matrix sets;                  ///< rows × classes, where asked for: 1 for labels in the set, else 0
  Matrix targets;               ///< rows × targets when the data's own targets were asked for
  std::vector<double> weights;  ///< likewise; empty when all are 1
  Index rows() const { return scores.rows(); }
};

/// How a classifier of two classes decides.
struct DecisionOptions {
  std::optional<double> threshold = {};

  static auto fields() {
    using O = DecisionOptions;
    return std::tuple{
        Field{
            "threshold", &O::threshold, Allowed::between(0, 1),
            "two classes: predict the second (in order of the labels) where its probability is at least this, instead "
            "of where its score is positive"},
    };
  }
};

struct PredictOptions {
  bool with_targets = false;
  bool with_std = false;
  DecisionOptions decision = {};
  IntervalOptions intervals = {};
  /// What intervals are computed from; none: the scores in the model.
  std::shared_ptr<const Conformity> conformity = nullptr;
};

class Model {
 public:
  explicit Model(ModelParts parts);

  const ModelParts& parts() const { return *parts_; }
  const TargetInfo& target() const;
  /// Of what is predicted: the targets, or q0.1 … for quantiles.
  std::vector<std::string> value_names() const;
  Index outputs() const;
  Index features() const;  ///< of the map, or of all members
  /// The largest first; empty where it was not measured. A category counts as one variable.
  std::vector<Relevance> relevance() const;
  bool has_probabilities() const;
  /// Throws, with the remedy, if the model has none; `option` is what asked for them.
  void check_probabilities(const char* option = "proba") const;

  /// How tables to predict are read: what is not given is as in training.
  ReadOptions read_options(ReadOptions given = {}) const;

  /// Regression: rows × targets. Classification: rows × 1 class positions (names in target().classes).
  Matrix predict(const Data& data, const Run& run = {}) const;
  /// rows × classes.
  Matrix probabilities(const Data& data, const Run& run = {}) const;
  /// Streams predictions block by block, in order. Results are bit-identical for any number of threads and any way of
  /// reading the data.
  void for_each_prediction(const Data& data, const PredictOptions& options,
                           const std::function<void(const PredictionBlock&)>& consume, const Run& run = {}) const;

  /// ‖α‖_H = √(aᵀGa), and ‖α‖_{L²(p)} = √(aᵀMa) (none for plain features): one per output. They need T × T numbers.
  /// A model of members has no single weight function: rkhs_norms() throws Error(option).
  std::vector<double> rkhs_norms(const Run& run = {}) const;
  std::optional<std::vector<double>> l2p_norms(const Run& run = {}) const;
  double rkhs_norm(Index output) const;
  std::optional<double> l2p_norm(Index output) const;
  /// Both, or none where more than 10,000 features would make them slow and large, and for models of members.
  std::optional<Norms> norms(const Run& run = {}) const;
  /// Everything but the coefficients: task, families or members, inputs, relevance, options, provenance, report, and
  /// the norms where given.
  std::string to_json(const std::optional<Norms>& norms = {}) const;

  /// One file, written completely or not at all. A custom activation cannot be stored.
  void save(const std::string& path) const;
  /// Throws weft::Error(model) for a file that is damaged, foreign or too new.
  static Model load(const std::string& path);
  /// What save() writes, and load() reads, without a file.
  std::string to_bytes() const;
  static Model from_bytes(const std::string& bytes);

 private:
  std::shared_ptr<const ModelParts> parts_;
};

/// One class against all others, by weights. A quotient whose denominator is 0 is 0, as in scikit-learn.
struct ClassMeasures {
  double weight = 0;     ///< of the rows of the class
  double precision = 0;  ///< of the rows predicted as the class, the share that are of it
  double recall = 0;     ///< of the rows of the class, the share predicted as it
  double f1 = 0;         ///< harmonic mean of both
  std::optional<double> auc, pr_auc;
};

/// One predicted quantile.
struct QuantileMeasures {
  double quantile = 0;
  double pinball = 0;   ///< mean loss
  double coverage = 0;  ///< share of the rows whose target is at most the prediction
};

/// Quality on labelled rows, by their weights: those that apply to the task are set.
struct Evaluation {
  Task task = Task::none;
  Index rows = 0;
  /// Means over targets. Classification has mse alone: scores against the codes ±1, mean over outputs.
  /// Not of quantiles.
  std::optional<double> mse, rmse, mae, r2;
  /// Poisson: mean of 2(y log(y/μ) − y + μ), and the share of that of the mean target that it explains.
  std::optional<double> deviance, deviance_explained;
  std::optional<double> huber;    ///< mean Huber loss, at the threshold of the fit
  std::optional<double> pinball;  ///< mean over the quantiles
  std::vector<QuantileMeasures> per_quantile;
  std::optional<double> error, accuracy, logloss;
  std::optional<double> balanced_accuracy;  ///< mean recall of the classes that occur
  std::optional<double> brier;  ///< mean of (p - y)² of the second of two classes; else of Σ (p_k - y_k)²
  std::optional<double> auc;    ///< binary, if both classes occur: P(score⁺ > score⁻), ties half
  /// Binary, of the class `positive`; pr_auc is the average precision Σ (R_n - R_{n-1}) P_n over distinct scores.
  std::optional<double> precision, recall, f1, pr_auc;
  /// More than two classes: unweighted means of `per_class` over the classes that occur, as labels or predictions.
  std::optional<double> macro_precision, macro_recall, macro_f1, macro_auc, macro_pr_auc;
  /// Where an interval was asked for: the share of targets inside, and the mean length of intervals or size of sets.
  std::optional<double> coverage, mean_width, mean_set_size;
  std::optional<double> interval;                     ///< the share asked for
  std::vector<std::optional<double>> class_coverage;  ///< likewise of the rows of each class that occurs
  std::string positive;                               ///< binary: the second class
  std::vector<ClassMeasures> per_class;               ///< where there are more than two
  std::optional<double> threshold;                    ///< the one given
  std::vector<std::string> classes;                   ///< of the confusion
  std::vector<std::vector<double>> confusion;         ///< [true class][predicted class], in weights
  std::string to_json() const;
};

struct Measure {
  const char* name;
  std::optional<double> Evaluation::*value;
};
/// Every measure of an evaluation, in the order in which reports show those that are set.
inline constexpr Measure kMeasures[] = {
    {"error", &Evaluation::error},
    {"accuracy", &Evaluation::accuracy},
    {"balanced_accuracy", &Evaluation::balanced_accuracy},
    {"precision", &Evaluation::precision},
    {"recall", &Evaluation::recall},
    {"f1", &Evaluation::f1},
    {"auc", &Evaluation::auc},
    {"pr_auc", &Evaluation::pr_auc},
    {"macro_precision", &Evaluation::macro_precision},
    {"macro_recall", &Evaluation::macro_recall},
    {"macro_f1", &Evaluation::macro_f1},
    {"macro_auc", &Evaluation::macro_auc},
    {"macro_pr_auc", &Evaluation::macro_pr_auc},
    {"logloss", &Evaluation::logloss},
    {"brier", &Evaluation::brier},
    {"mse", &Evaluation::mse},
    {"rmse", &Evaluation::rmse},
    {"mae", &Evaluation::mae},
    {"r2", &Evaluation::r2},
    {"coverage", &Evaluation::coverage},
    {"mean_width", &Evaluation::mean_width},
    {"mean_set_size", &Evaluation::mean_set_size},
    {"deviance", &Evaluation::deviance},
    {"deviance_explained", &Evaluation::deviance_explained},
    {"huber", &Evaluation::huber},
    {"pinball", &Evaluation::pinball},
};

/// One pass. The target is found as Encoder::open says: by the data's own options, else by its name in training.
Evaluation evaluate(const Model& model, const Data& data, const Run& run = {});
Evaluation evaluate(const Model& model, const Data& data, const DecisionOptions& decision, const Run& run = {});
/// With the coverage of intervals, where the options ask for them.
Evaluation evaluate(const Model& model, const Data& data, const PredictOptions& options, const Run& run = {});

/// The scores of labelled rows that the model was not fitted to: intervals from them cover new rows that are
/// exchangeable with them with the probability asked for (split conformal prediction). Throws where there are no rows.
Conformity conformity_of(const Model& model, const Data& rows, const Run& run = {});

}  // namespace weft
