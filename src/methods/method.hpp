// A method is one row of a table: its name, its options, how it runs, and what search, pruning, certificates and help
// need to know about it. No other code compares method names; it reads the row.
#pragma once

#include "methods/problem.hpp"
#include "objective/loss.hpp"
#include "sampling/sample_map.hpp"

namespace weft::detail {

struct HeldOutSums;

/// A feature map on its way to a fit.
struct FittedMap {
  FeatureMap map;
  std::vector<double> shares = {};  ///< as in Problem
  FitReport report = {};            ///< what was found on the way, for the fit's own
};

/// What a feature map is made from.
struct MapRequest {
  const FamilyOptions& family;
  const FitOptions& options;
  const Inputs& inputs;
  SamplingRows rows;
  Task task;
  const Run& run;
  ActivationPtr custom = nullptr;
};

/// How many of everything there are, before anything is drawn.
struct ProblemSize {
  double features = 0;
  Index rows = 0;
  Index inputs = 0;
};

/// How a search validates a configuration: by sums over rows that folds and λs share, by predictions of every row
/// without itself, by a fit per fold, or not at all, because the fit itself searches.
enum class ValidatedBy { shared_sums, left_out, refits, itself };

/// Predictions of every row by the fit without it, for each λ.
struct LeftOutPath {
  std::vector<double> lambdas;  ///< the one given, or the path
  Matrix scores;                ///< (lambdas · outputs) × rows
  bool complete = false;        ///< the time sufficed
};

struct Method {
  const char* name;
  const char* help;       ///< one sentence
  MethodOptions options;  ///< their defaults; the alternative of the variant is the method's

  FitResult (*run)(const Problem& problem);
  /// What it minimises. Throws where the task has no such loss.
  Loss (*loss)(const FitOptions& options, Task task);
  /// Throws Error(memory) where what it holds at once exceeds the memory; returns the bytes that are left for the rows.
  double (*check_memory)(const FitOptions& options, const ProblemSize& size, const Run& run);
  /// Throws on options that contradict each other; none: they cannot.
  void (*check)(const FitOptions& options, const FamilyOptions& family) = nullptr;

  bool own_loss = false;  ///< the options name a loss of regression: searches compare held-out rows by it

  // Features.
  bool kernel_machine = false;            ///< features are kernel sections at rows: there is no family to draw
  const char* automatic_family = "auto";  ///< what the family "auto" stands for
  void (*check_family)(const std::vector<FamilyPart>& parts) = nullptr;  ///< throws where it cannot take these
  FittedMap (*make_map)(const MapRequest& request) = nullptr;            ///< none: as the family specifies

  // Rows in batches, and searches.
  bool batches = false;      ///< the fit is known by sums over rows, which need not be there at once
  bool shares_rows = false;  ///< they may be shared out over processes (BlockSource::share)
  bool shares_work = false;  ///< processes that have all rows may share it out (Problem::processes)
  /// Throws where so many rows cannot be shared out with these options; none: never.
  void (*check_shared)(const FitOptions& options, Index rows) = nullptr;
  /// So may its T × T matrices (RowShare::matrices), with these options; none: never.
  bool (*shares_matrices)(const FitOptions& options) = nullptr;
  /// The fit from sums over the rows and, as the problem's rows, the few that are to be scored (scored_rows; there may
  /// be none). None: it needs all rows.
  FitResult (*solve)(const Problem& sample, HeldOutSums sums) = nullptr;
  /// Throws where it needs all of so many rows with these options; none: never.
  void (*check_sums)(const FitOptions& options, Index rows) = nullptr;
  bool (*holds_out)(const FitOptions& options) = nullptr;  ///< rows that choose λ; none: where it is not given
  bool solve_scores = false;                               ///< `solve` scores the rows it is given
  /// Numbers of the rows that make_map reads, of so many, ascending; nullopt where it reads all, none: it reads none.
  std::optional<std::vector<Index>> (*drawn_rows)(const FitOptions& options, const FamilyOptions& family,
                                                  Index rows) = nullptr;
  ValidatedBy (*validated_by)(const FitOptions& options, Index rows) = nullptr;  ///< none: by refits
  LeftOutPath (*left_out)(const Problem& problem) = nullptr;                     ///< where it is validated so
  Index (*centres)(const FitOptions& options) = nullptr;    ///< how many; none: the family's features
  bool (*calibrates)(const FitOptions& options) = nullptr;  ///< whether it can; none: no
  /// The family whose sigma and gamma are searched, nullopt where there is none; none: the family itself.
  std::optional<FamilyOptions> (*searched_family)(const FitOptions& options, const FamilyOptions& family) = nullptr;
  /// What a kernel's bandwidth is searched around, nullopt where it is not searched; none: there is no bandwidth.
  std::optional<double> (*searched_bandwidth)(const MapRequest& request) = nullptr;
  bool (*has_lambda)(const FitOptions& options) = nullptr;  ///< whether these leave a λ to choose; none: yes
  bool searches_lambda = false;  ///< like the other hyperparameters: no path of λs is shared between the folds
  const char* lambda_range = "1e-5:1e-3";  ///< of a searched λ that does not multiply the norm of an RKHS

  // What becomes of the model.
  /// Least-squares options that refit what pruning leaves; none: the coefficients are projected.
  FitOptions (*refit)(const FitOptions& options) = nullptr;
  bool minimises = false;  ///< a regularised loss over all coefficients: Anonymous 2026, Theorem 6.8
  bool descends = false;   ///< by stochastic functional gradients: Anonymous 2026, Theorem 6.7
};

/// All of them, in the order of MethodOptions.
const std::vector<const Method*>& methods();
const Method& method_of(const FitOptions& options);

// One row per folder.
const Method& least_squares_method();
const Method& lasso_method();
const Method& functional_gradient_method();
const Method& optimal_step_method();
const Method& logistic_method();
const Method& kernel_ridge_method();
const Method& learned_activation_method();
const Method& learned_relevance_method();
const Method& local_method();
const Method& portfolio_method();
const Method& newton_method();
const Method& kernel_newton_method();

/// The same for every method: throws on options that it cannot take, or that contradict each other.
void check_fit_options(const FitOptions& options, const FamilyOptions& family);
/// The family that fits these inputs: "auto" replaced by what it stands for. Throws where the method cannot take it.
FamilyOptions resolve_family(const FitOptions& options, const FamilyOptions& family, const Inputs& inputs,
                             const ActivationPtr& custom = nullptr);
/// As drawn or chosen by the family's sampling, or as the method makes it.
FittedMap make_map(const MapRequest& request);
/// The method's check_memory for this family; `size` need not say how many features it has.
double check_memory(const FitOptions& options, const FamilyOptions& family, ProblemSize size, const Run& run,
                    const ActivationPtr& custom = nullptr);
/// For a fit by sums over features: its square matrices, the centres and a block of features.
double check_sums_memory(double square_matrices, const ProblemSize& size, const Run& run);
Loss squared_loss(const FitOptions& options, Task task);
/// Throws about the first option of the family, but the seed, that was given.
void refuse_family(const FamilyOptions& family, const std::string& why, const std::string& hint);
/// The map of a model that consists of members.
FittedMap no_features(const MapRequest& request);

/// The method's option of this name and type; nullopt where it has none.
template <class T>
std::optional<T> own_value(const MethodOptions& options, std::string_view name) {
  std::optional<T> value;
  for_each_own_field(options, [&](const auto& field, const auto& member) {
    if constexpr (std::is_same_v<plain_type<std::remove_cvref_t<decltype(member)>>, T>)
      if (field.name == name) value = plain_value(member);
  });
  return value;
}
/// Sets the method's option of this name, where it has one.
template <class T>
void set_own_value(MethodOptions& options, std::string_view name, const T& value) {
  for_each_own_field(options, [&](const auto& field, auto& member) {
    if constexpr (std::is_same_v<plain_type<std::remove_cvref_t<decltype(member)>>, T>)
      if (field.name == name) member = value;
  });
}

}  // namespace weft::detail
