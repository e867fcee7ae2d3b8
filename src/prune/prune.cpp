// From a model to a smaller one: a geometry, the search along the lasso's path, and coefficients for the survivors.
#include <weft/prune.hpp>

#include "data/rows/training_rows.hpp"
#include "methods/fold_rows.hpp"
#include "methods/method.hpp"
#include "prune/member_pruning.hpp"
#include "prune/prediction_times.hpp"
#include "prune/refit.hpp"
#include "prune/search.hpp"
#include "train/stored_options.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

constexpr double kEpsilon = 0.01;

struct Choices {
  PruneMethod method;
  AcceptRule accept;
  PruneRefit refit;
};

void check_counts(const PruneOptions& options, Index features) {
  if (options.delta.given() && options.accept != AcceptRule::bound)
    throw Error(ErrorKind::option, "only ‹accept› bound uses it", "‹delta›", "add ‹accept› bound");
  if (options.features && options.epsilon)
    throw Error(ErrorKind::option, "both ‹features› and ‹epsilon› are given", "‹features›", "give only one of them");
  if (options.features && *options.features >= features)
    throw Error(ErrorKind::option, fmt::format("the model has {} features", features), "‹features›", "ask for fewer");
}

/// The norm of H is the right measure for fits of one family that penalise it. Its lasso shrinks predictions as it
/// prunes, which hardly changes classes but increases squared errors (docs/prune.md).
Choices resolve(const PruneOptions& options, const FitOptions& fit, const Model& model) {
  Choices choices{options.method, options.accept, options.refit};
  const bool classes = model.target().task != Task::regression;
  const std::vector<FeaturePart>& parts = model.parts().map.parts();
  const Regularizer regularizer = own_value<Regularizer>(fit.method, "regularizer").value_or(Regularizer::automatic);
  const bool rkhs = parts.size() == 1 && !parts.front().family.kernel.none() &&
                    (regularizer == Regularizer::automatic || regularizer == Regularizer::rkhs);
  if (choices.method == PruneMethod::automatic)
    choices.method = classes && rkhs ? PruneMethod::weights : PruneMethod::predictions;
  if (choices.accept == AcceptRule::automatic) choices.accept = classes ? AcceptRule::error : AcceptRule::risk;
  const bool guarantee = choices.accept == AcceptRule::norm || choices.accept == AcceptRule::bound;
  const bool refits = method_of(fit).refit != nullptr;
  if (choices.refit == PruneRefit::automatic)
    choices.refit = refits && !guarantee ? PruneRefit::least_squares : PruneRefit::projection;
  if (choices.refit == PruneRefit::least_squares) check_refit(fit);
  return choices;
}

/// The geometry of a way to prune, and the intercepts that belong to coefficients in it: those of the model for the
/// weight function, which does not determine them, and such that the mean prediction is unchanged for predictions.
struct Lasso {
  Geometry geometry;
  std::vector<double> feature_means;  // empty: intercepts stay

  std::vector<double> intercepts(const ModelParts& parts, const Matrix& coefficients) const {
    std::vector<double> result = parts.intercepts;
    for (std::size_t t = 0; t < feature_means.size(); ++t)
      for (std::size_t o = 0; o < result.size(); ++o) {
        const auto row = static_cast<Index>(t);
        const auto output = static_cast<Index>(o);
        result[o] += feature_means[t] * (parts.coefficients(row, output) - coefficients(row, output));
      }
    return result;
  }
};

Lasso make_lasso(PruneMethod method, const ModelParts& parts, const FitOptions& fit, const BlockSource& rows,
                 const Geometry& weights, const Run& run) {
  if (method == PruneMethod::weights) return {weights, {}};
  const FamilyOptions family;
  const PartSums sums = accumulate_parts({parts.map, rows, parts.encoder.target().task, fit, family, run}, 1,
                                         [](Index) { return Index{0}; });
  const NormalEquations equations = normal_equations(sums.parts.front(), fit.intercept);
  return {prediction_geometry(equations), equations.feature_means};
}

/// Coefficients of all T features: 0 for those that were removed.
Matrix spread_out(const Matrix& coefficients, const std::vector<Index>& features, Index count) {
  Matrix all(count, coefficients.cols());
  for (std::size_t i = 0; i < features.size(); ++i)
    std::copy_n(coefficients.row(static_cast<Index>(i)), coefficients.cols(), all.row(features[i]));
  return all;
}

class Pruning {
 public:
  Pruning(const Model& model, const Data& data, const PruneOptions& options, const Run& run)
      : parts_(model.parts()),
        data_(data),
        fit_(stored_options<FitOptions>(parts_.options)),
        choices_(resolve(options, fit_, model)),
        goal_{options.epsilon.value_or(kEpsilon), options.features},
        run_(run),
        before_(evaluate(model, data, run)),
        rows_(rows(ClassWeighting::none)),
        weights_(weight_geometry(parts_.map, run)),
        lasso_(make_lasso(choices_.method, parts_, fit_, *rows_, weights_, run)),
        path_(std::move(lasso_.geometry), parts_.coefficients),
        acceptance_(parts_, fit_, *rows_, weights_, choices_.accept, options.delta, run) {}

  PruneResult result() {
    LassoChoice found = find();
    choose_features(found);
    ModelParts small = build(found.pruned);
    const Matrix after = spread_out(small.coefficients, kept_, parts_.map.features());
    small.report.set("features_before", static_cast<double>(parts_.map.features()));
    small.report.set("pruned_by", fmt::format("{}, {}, {}", name_of(choices_.method), name_of(choices_.accept),
                                              name_of(choices_.refit)));
    PruneResult result{.model = Model(std::move(small))};
    result.method = choices_.method;
    result.accept = choices_.accept;
    result.refit = choices_.refit;
    if (!goal_.features) result.epsilon = goal_.epsilon;
    result.lambda = found.taken ? found.taken->lambda : 0;
    result.features_before = parts_.map.features();
    result.features_after = static_cast<Index>(kept_.size());
    result.train_before = before_;
    result.train_after = evaluate(result.model, data_, run_);
    result.path = std::move(found.steps);
    if (choices_.accept == AcceptRule::bound)
      notes_.emplace_back(
          "Theorem 8 holds where the model was fixed before these rows were drawn; with its training rows the bound is "
          "a "
          "heuristic");
    result.notes = std::move(notes_);
    measure_norms(after, result);
    const PredictionTimes times = prediction_times(parts_, result.model.parts(), *rows_, run_);
    result.seconds_before = times.before;
    result.seconds_after = times.after;
    return result;
  }

 private:
  std::unique_ptr<BlockSource> rows(ClassWeighting class_weights) const {
    return training_rows(parts_.encoder, data_, class_weights, std::numeric_limits<double>::infinity(), run_,
                         before_.rows);
  }

  /// The lasso shrinks what it keeps. This increases losses and distances but hardly changes classes, so losses and
  /// distances are measured after the projection, which undoes it.
  LassoChoice find() const {
    const bool project = choices_.refit != PruneRefit::none && choices_.accept != AcceptRule::error;
    const auto make = [&](const Matrix& shares) {
      Matrix coefficients = path_.coefficients(shares);
      return with_intercepts(project ? path_.project(used_features(coefficients), run_.thread_count())
                                     : std::move(coefficients));
    };
    return choose_lasso(path_, acceptance_, goal_, make, run_);
  }

  Pruned with_intercepts(Matrix coefficients) const {
    std::vector<double> intercepts = lasso_.intercepts(parts_, coefficients);
    return {std::move(coefficients), std::move(intercepts)};
  }

  void choose_features(LassoChoice& found) {
    if (!found.taken) {
      found.pruned = with_intercepts(path_.whole());
      choices_.refit = PruneRefit::none;
      notes_.emplace_back(
          "no lasso solution was accepted: only features with coefficient 0 and duplicates were removed");
    }
    kept_ = used_features(found.pruned.coefficients);
    if (kept_.empty()) {
      kept_ = {0};
      notes_.emplace_back("the model is constant: one feature is kept because a model needs at least one");
    }
    if (goal_.features && static_cast<Index>(kept_.size()) > *goal_.features)
      throw Error(ErrorKind::option, fmt::format("the lasso keeps at least {} features", kept_.size()), "‹features›",
                  "ask for at least as many, or allow more time");
  }

  /// The survivors with their coefficients. A refit that the rule rejects is discarded: the accepted coefficients are
  /// returned.
  ModelParts build(const Pruned& accepted) {
    if (choices_.refit == PruneRefit::least_squares) {
      ModelParts small = fit_.class_weights == ClassWeighting::none
                             ? refit_features(parts_, kept_, *rows_, run_)
                             : refit_features(parts_, kept_, *rows(fit_.class_weights), run_);
      if (accepts({spread_out(small.coefficients, kept_, parts_.map.features()), small.intercepts})) return small;
    } else if (choices_.refit == PruneRefit::projection) {
      const Pruned projected = with_intercepts(path_.project(kept_, run_.thread_count()));
      if (accepts(projected)) return keep_features(parts_, kept_, projected, *rows_, run_, notes_);
    }
    choices_.refit = PruneRefit::none;
    return keep_features(parts_, kept_, accepted, *rows_, run_, notes_);
  }

  bool accepts(const Pruned& pruned) {
    if (goal_.features || acceptance_.values({pruned}, run_).front() <= goal_.epsilon) return true;
    notes_.push_back(fmt::format("the accept rule rejects the refit by {}; the model is returned without it",
                                 name_of(choices_.refit)));
    return false;
  }

  void measure_norms(const Matrix& after, PruneResult& result) const {
    result.norms_before = norms(weights_, parts_.coefficients);
    result.norms_after = norms(weights_, after);
    result.distances = norms(weights_, difference(parts_.coefficients, after));
  }

  const ModelParts& parts_;
  const Data& data_;
  FitOptions fit_;
  Choices choices_;
  PruneGoal goal_;
  const Run& run_;
  Evaluation before_;
  std::unique_ptr<BlockSource> rows_;
  Geometry weights_;
  Lasso lasso_;
  WeightPath path_;
  Acceptance acceptance_;
  std::vector<Index> kept_;
  std::vector<std::string> notes_;
};

}  // namespace

PruneResult prune(const Model& model, const Data& data, const PruneOptions& options, const Run& given_run) {
  Run run = given_run;
  run.started = Run::Clock::now();
  check_options(options);
  if (const std::vector<Member>& members = model.parts().members; !members.empty()) {
    Index landmarks = 0;
    for (const Member& member : members) landmarks += member.features();
    check_counts(options, landmarks);
    return prune_members(model, data, options, options.epsilon.value_or(kEpsilon), run);
  }
  check_counts(options, model.parts().map.features());
  PruneResult result = Pruning(model, data, options, run).result();
  // Where weights cancel each other (G near singular), shrinking them changes classes too, and the norm of H is not a
  // useful measure.
  const bool pruned = result.features_after < result.features_before;
  if (options.method != PruneMethod::automatic || result.method != PruneMethod::weights || pruned || run.out_of_time())
    return result;
  PruneOptions other = options;
  other.method = PruneMethod::predictions;
  return Pruning(model, data, other, run).result();
}

}  // namespace weft
