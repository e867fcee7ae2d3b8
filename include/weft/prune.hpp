// Pruning: a smaller model that predicts almost the same (Dubé & Marchand 2023, section 6).
#pragma once

#include <weft/data.hpp>
#include <weft/model.hpp>
#include <weft/run.hpp>

#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class PruneMethod { automatic, weights, predictions };
constexpr auto choice_names(PruneMethod) {
  return std::array{"auto", "weights", "predictions"};
}

enum class AcceptRule { automatic, norm, bound, risk, error };
constexpr auto choice_names(AcceptRule) {
  return std::array{"auto", "norm", "bound", "risk", "error"};
}

enum class PruneRefit { automatic, least_squares, projection, none };
constexpr auto choice_names(PruneRefit) {
  return std::array{"auto", "least-squares", "projection", "none"};
}

struct PruneOptions {
  PruneMethod method = PruneMethod::automatic;
  AcceptRule accept = AcceptRule::automatic;
  std::optional<double> epsilon = {};
  Setting<double> delta = default_value(0.05);
  std::optional<Index> features = {};
  PruneRefit refit = PruneRefit::automatic;

  static auto fields() {
    using O = PruneOptions;
    return std::tuple{
        Field{"method", &O::method,
              "what the lasso approximates: weights, the weight function in its RKHS norm (Dubé & Marchand "
              "2023, Alg. 5); predictions, those on DATA; auto: weights for classifiers of one family fitted in that "
              "norm if the rule accepts a solution, else predictions"},
        Field{
            "accept", &O::accept,
            "quantity that may grow by epsilon: norm, the risk on any data by Lemma 7 of Dubé & Marchand 2023; "
            "bound, the value of their Theorem 8, which holds for new rows with probability 1 - delta if the model was "
            "fixed before DATA were drawn (its training rows give a heuristic); risk, the mean loss on DATA; error, "
            "the error rate on DATA; auto: error for classes, else risk"},
        Field{"epsilon", &O::epsilon, Allowed::at_least(0),
              "largest increase that the accept rule allows, for the lasso and for the refit after it; regression "
              "losses are in units "
              "of the target's variance; not given: 0.01"},
        Field{"delta", &O::delta, Allowed::inside(0, 1),
              "probability with which the guarantee of ‹accept› bound may fail"},
        Field{"features", &O::features, Allowed::at_least(1), "keep at most this many features, instead of epsilon"},
        Field{"refit", &O::refit,
              "coefficients of the remaining features: least-squares, fitted to DATA with the options of the model; "
              "projection, "
              "as close to the model as possible; none, those of the lasso; auto: least-squares for least-squares and "
              "lasso fits "
              "unless the rule is norm or bound, else projection"},
    };
  }
};

/// One lasso, or share of landmarks, of the search.
struct PruneStep {
  /// Of Dubé & Marchand 2023, eq. 60, for a weight function (or predictions) of norm 1; of a sum of members the share
  /// of landmarks.
  double lambda = 0;
  Index kept = 0;
  double value = 0;  ///< the quantity that the rule compares with epsilon
  bool accepted = false;

  std::string to_json() const;
};

struct PruneResult {
  Model model;
  PruneMethod method = PruneMethod::automatic;  ///< these three as in the options, automatic resolved
  AcceptRule accept = AcceptRule::automatic;
  PruneRefit refit = PruneRefit::automatic;  ///< none where the rule rejected the refit
  std::optional<double> epsilon = {};        ///< none where the number of features was given
  double lambda = 0;                         ///< of the step that was taken; 0: none was accepted
  Index features_before = 0;
  Index features_after = 0;
  /// ‖α‖, ‖β‖ and ‖α − β‖ in H, one per output; plain features: of their coefficients.
  std::vector<double> norms_before = {}, norms_after = {}, distances = {};
  Evaluation train_before = {}, train_after = {};  ///< on DATA
  /// Seconds per row to predict rows that are in memory, measured alternately.
  double seconds_before = 0, seconds_after = 0;
  std::vector<PruneStep> path = {};  ///< in the order they were tried
  std::vector<std::string> notes = {};

  double removed_percent() const {
    return 100 - 100.0 * static_cast<double>(features_after) / static_cast<double>(features_before);
  }
  double speed_up() const { return seconds_before / seconds_after; }
  std::string to_json() const;  ///< without the model
};

/// `data` are labelled rows, normally the training rows. A feature stays when any output needs it.
PruneResult prune(const Model& model, const Data& data, const PruneOptions& options = {}, const Run& run = {});

}  // namespace weft
