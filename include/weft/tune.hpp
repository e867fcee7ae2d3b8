// Cross-validated search over families and hyperparameters, by sums over rows that folds, λs and configurations
// share.
#pragma once

#include <weft/fit.hpp>
#include <weft/objective.hpp>

#include <functional>

namespace WEFT_PUBLIC weft {

enum class SearchStrategy { random, grid, halving };
constexpr auto choice_names(SearchStrategy) {
  return std::array{"random", "grid", "halving"};
}

struct TuneOptions {
  Setting<SearchStrategy> search = default_value(SearchStrategy::random);
  Setting<Index> configurations = default_value(50);
  Setting<Index> folds = default_value(5);
  Setting<Metric> metric = default_value(Metric::automatic);
  Setting<Index> lambdas = default_value(17);
  Setting<double> minutes = default_value(0);
  Setting<std::string> log = default_value("");
  Setting<std::string> sigma_range = default_value("0.01:10");
  Setting<std::string> gamma_range = default_value("0.01:10");
  Setting<std::string> theta_range = default_value("0.01:0.9");
  Setting<std::string> kappa_range = default_value("auto");
  Setting<std::string> lambda_range = default_value("auto");
  Setting<std::string> bandwidth_range = default_value("0.1:10");
  Setting<bool> smallest = default_value(false);

  static auto fields() {
    using O = TuneOptions;
    return std::tuple{
        Field{"search", &O::search,
              "how configurations are chosen: at random, on a grid, or by successive halving (at random on few rows, "
              "the best third again on three times as many)"},
        Field{"configurations", &O::configurations, Allowed::at_least(1), "number of configurations per family"},
        Field{"folds", &O::folds, Allowed::at_least(2), "number of cross-validation folds"},
        Field{"metric", &O::metric, "metric to optimise; auto: mse for numbers, error for classes"},
        Field{"lambdas", &O::lambdas, Allowed::at_least(1),
              "number of lambdas per configuration, over sixteen decades; 1: one, drawn from ‹lambda_range›"},
        Field{"minutes", &O::minutes, Allowed::at_least(0), "time limit of the search in minutes; 0: none"},
        Field{"log", &O::log, Allowed::anything(),
              "log file of finished configurations (JSON lines); a search with an existing log resumes it"},
        Field{"sigma_range", &O::sigma_range, Allowed::anything(), "search range LOW:HIGH of sigma, logarithmic"},
        Field{"gamma_range", &O::gamma_range, Allowed::anything(),
              "search range LOW:HIGH of gamma for stumps, logarithmic"},
        Field{"theta_range", &O::theta_range, Allowed::anything(),
              "search range LOW:HIGH of theta for gaussian kernels"},
        Field{"kappa_range", &O::kappa_range, Allowed::anything(),
              "search range LOW:HIGH of kappa for exponential kernels; auto: 1.5:50, with relu 1.5:100"},
        Field{"lambda_range", &O::lambda_range, Allowed::anything(),
              "search range LOW:HIGH of a single lambda, logarithmic; auto: 1e-12:1e-4 for RKHS norms, else 1e-5:1e-3"},
        Field{
            "bandwidth_range", &O::bandwidth_range, Allowed::anything(),
            "search range LOW:HIGH of a kernel machine's bandwidth, logarithmic, as factors of the mean or median that "
            "‹bandwidth› names; a number given there is not searched"},
        Field{"smallest", &O::smallest, Allowed::anything(),
              "fit the model with the smallest number of features within one standard error of the best"},
    };
  }
};

/// The score of some features with some λ.
struct CurvePoint {
  Index features = 0;
  double lambda = 0;
  double score = 0;
  double standard_error = 0;

  std::string to_json() const;
};

/// One configuration with its cross-validated score.
struct Trial {
  Index number = 0;                      ///< position in the search
  FamilyOptions family = {};             ///< the family options of its fit
  std::string kernel = {};               ///< of a kernel machine; empty for random features
  std::optional<double> bandwidth = {};  ///< of the kernel, where it was searched
  std::optional<double> lambda = {};     ///< the best of its path; none: it is left to the fit
  double rows = 1;                       ///< fraction of the rows it was evaluated on
  std::vector<double> fold_scores = {};
  double score = 0;           ///< their mean
  double standard_error = 0;  ///< of that mean
  double seconds = 0;         ///< its share of the search's time
  std::vector<CurvePoint> path =
      {};  ///< every λ that was tried; fits by sums have it, unless the trial was read from a log

  bool failed() const { return fold_scores.empty(); }
  std::string width() const;  ///< the option that determines gamma: "theta 0.3"; empty: none
  std::string failure = {};   ///< why it has no score

  const std::string& name() const { return kernel.empty() ? *family.family : kernel; }
  std::string to_json() const;  ///< without the path
};

struct TuneResult {
  Metric metric = Metric::automatic;  ///< that was optimised, automatic resolved
  bool larger_is_better = false;
  std::vector<Trial> trials;  ///< in order of their numbers; with halving the last evaluation of each
  std::size_t best = 0;       ///< position in trials
  Index planned = 0;          ///< number of configurations planned
  Index resumed = 0;          ///< trials taken from the log
  bool out_of_time = false;
  /// For fits by sums, of the best configuration: leave-one-out score by the closed form, generalised cross-validation
  /// (mse), and the curve over T (the first T features at the best λ for that many) with the position of the smallest T
  /// within one standard error of the curve's best.
  std::optional<double> leave_one_out = {};
  std::optional<double> generalised = {};
  std::vector<CurvePoint> curve = {};
  std::size_t recommended = 0;
  double seconds = 0;
  /// Estimates from the times of the stages: the additional time of a search that shared no projections, and no sums
  /// between folds and λs.
  double saved_by_projections = 0;
  double saved_by_sums = 0;
  std::vector<std::string> notes = {};
  std::optional<Encoder> encoder = {};  ///< of the rows that were searched

  const Trial& winner() const { return trials[best]; }
  /// Positions of the evaluated trials, best first; those evaluated on more rows, which survived more rungs of halving,
  /// before the others.
  std::vector<std::size_t> ranking() const;
  std::string to_json() const;
};

struct TuneRequest {
  Data train;                 ///< must name a target
  FamilyOptions family = {};  ///< `family` may list several with commas, or be "all"
  FitOptions fit = {};
  EncodeOptions encode = {};
  TuneOptions options = {};
  Run run = {};
  std::function<void(const Trial&)> on_trial = {};  ///< called with every configuration as it finishes
  /// Called with what was found where `run` is cancelled after a configuration was evaluated, before the error is
  /// thrown.
  std::function<void(const TuneResult&)> on_stop = {};
};

/// Searches. Options that are given (sigma, gamma, theta, kappa, shrink; lambda; a number for the bandwidth) are not
/// searched.
TuneResult tune(const TuneRequest& request);

/// The request that fits the winner to all rows (with options.smallest, at the recommended number of features). It
/// records the number of alternatives, feature maps fixed before a row was seen: a guarantee divides its δ among them.
FitRequest winner_request(const TuneRequest& request, const TuneResult& result);
/// Fits it with the encoder of the search; `request` is the one that was searched.
Model fit_winner(const TuneRequest& request, const TuneResult& result);

}  // namespace weft
