#include "methods/learned_relevance/feature_relevance.hpp"

#include "core/at.hpp"
#include "features/gradient_outer.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"
#include "methods/local/held_out.hpp"
#include "methods/local/member_plan.hpp"
#include "objective/ridge_choice.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr double kSigmas[] = {0.5, 1, 2, 4};  // as factors of the family's own
constexpr Index kFeatureGradientRows = 1500;
constexpr double kStillDrawn = 0.02;  // share of a variable that seems to be irrelevant, of the most relevant one's
constexpr double kRidge = 1e-10;      // as least squares

/// The inputs of a map, with variables drawn by the deviations of their scaled columns once factors were learned.
Inputs drawn_inputs(const FeatureForm& form, const InputTransform& transform, const LabelledRows& rows) {
  Inputs inputs = transform.inputs(form.inputs);
  if (transform.factors.empty()) return inputs;
  const Index some = std::min(kFeatureGradientRows, rows.rows());
  const std::vector<double> spread = column_deviations(transform.apply(rows.x.view().col_range(0, some)));
  std::vector<double> shares(at(inputs.variables()));
  for (std::size_t j = 0; j < spread.size(); ++j)
    if (const Index v = inputs.variable_of[j]; v >= 0) shares[at(v)] += spread[j] * spread[j];
  double largest = 0;
  for (double& share : shares) largest = std::max(largest, share = std::sqrt(share));
  if (!(largest > 0)) return inputs;
  for (double& share : shares) share = std::max(share / largest, kStillDrawn);
  inputs.shares = std::move(shares);
  return inputs;
}

Accumulator feature_sums(const FeatureMap& map, const InputTransform& transform, const LabelledRows& rows,
                         const Run& run) {
  Accumulator sums(map.features(), rows.outputs());
  for (Index first = 0; first < rows.rows(); first += kBlockRows) {
    run.check_cancelled();
    const Index count = std::min(kBlockRows, rows.rows() - first);
    Matrix phi(map.features(), count);
    map.smoothings(transform.apply(rows.x.view().col_range(first, count)), phi, run);
    Matrix y(rows.outputs(), count);
    transpose(rows.y.view().row_range(first, count), y.view());
    sums.add(phi, y, rows.weights.empty() ? nullptr : rows.weights.data() + first, run.thread_count());
  }
  return sums;
}

/// Features drawn for one set of rows, and fits to their sums.
class DrawnFeatures {
 public:
  DrawnFeatures(const FeatureForm& form, const LearnedInputs& learned, const LabelledRows& rows, const Run& run)
      : form_(form),
        transform_(learned.transform),
        run_(run),
        map_(draw(form, learned, rows)),
        penalty_(make_penalty(map_, form.regularizer, run)),
        sums_(feature_sums(map_, transform_, rows, run)) {}

  /// Adds rows to the sums.
  void add(const LabelledRows& rows) { sums_.merge(feature_sums(map_, transform_, rows, run_)); }

  /// The λ of the mean loss that is best for these rows, or the one given; and the error with it.
  std::pair<double, double> choose_lambda(const LabelledRows& held) const {
    const Accumulator held_sums = feature_sums(map_, transform_, held, run_);
    if (!form_.lambda) {
      const RidgeChoice choice = choose_ridge({true, kRidge}, penalty_, sums_, held_sums, run_);
      return {penalty_.user_lambda(choice.effective), choice.error};
    }
    const KernelFit fit = solve(*form_.lambda);
    double error = 0;
    for (Index o = 0; o < held.outputs(); ++o) error += squared_error(held_sums, fit.coefficients, fit.intercepts, o);
    return {*form_.lambda, error / static_cast<double>(held.outputs())};
  }

  KernelFit solve(double lambda) const {
    const NormalEquations equations = normal_equations(sums_, true);
    RidgeSolution solution = solve_regularised(equations.gram, penalty_.matrix,
                                               penalty_.effective(lambda) * equations.weight, kRidge * equations.weight,
                                               equations.cross, Worker::for_equations(run_, equations.gram.rows()));
    KernelFit fit;
    fit.intercepts = equations.intercepts(solution.coefficients);
    fit.coefficients = std::move(solution.coefficients);
    return fit;
  }

  Member member(double lambda) const {
    KernelFit fit = solve(lambda);
    return {kFeaturesName, 1, transform_, {}, {{map_, std::move(fit.coefficients), std::move(fit.intercepts)}}};
  }

  const FeatureMap& map() const { return map_; }

 private:
  static FeatureMap draw(const FeatureForm& form, const LearnedInputs& learned, const LabelledRows& rows) {
    FamilyOptions family = form.family;
    family.sigma = learned.bandwidth;
    FeatureMap map = FeatureMap::draw(family, drawn_inputs(form, learned.transform, rows));
    const Index drawn = map.features(), most = form.most_features.value_or(drawn);
    if (drawn <= most) return map;
    std::vector<Index> kept;
    for (Index k = 0; k < most; ++k) kept.push_back(k * drawn / most);
    return map.subset(kept);
  }

  const FeatureForm& form_;
  const InputTransform& transform_;
  const Run& run_;
  FeatureMap map_;
  Penalty penalty_;
  Accumulator sums_;
};

/// √(mean squared derivative) in each of the transform's columns before its factors, 0 for the bias.
std::vector<double> root_squares(const FeatureForm& form, const InputTransform& transform, const DrawnFeatures& drawn,
                                 double lambda, const LabelledRows& rows, const Run& run) {
  const Index some = std::min(kFeatureGradientRows, rows.rows());
  const Matrix z = transform.apply(rows.x.view().col_range(0, some));
  std::vector<double> result = gradient_squares(drawn.map(), drawn.solve(lambda).coefficients, z,
                                                rows.weights.empty() ? nullptr : rows.weights.data(), run);
  for (std::size_t j = 0; j < result.size(); ++j)
    result[j] = std::sqrt(std::max(0.0, result[j]) / static_cast<double>(some)) *
                (transform.factors.empty() ? 1 : transform.factors[j]);
  if (transform.inputs(form.inputs).bias) result.back() = 0;
  return result;
}

void learn_factors(const std::vector<double>& roots, bool bias, InputTransform& transform) {
  const double largest = *std::max_element(roots.begin(), roots.end());
  if (!(largest > 0)) return;
  transform.factors = roots;
  for (double& factor : transform.factors) factor /= largest;
  if (bias) transform.factors.back() = 1;
}

/// The best sigma for these inputs, the same for all folds; `learned` belongs to all rows, or to the one fold.
RelevanceStep choose_sigma(const FeatureForm& form, const LearnedInputs& learned, std::span<const LearnedInputs> own,
                           std::span<const Fold> folds, const Run& run) {
  RelevanceStep best;
  for (const double factor : kSigmas) {
    if (form.family.sigma.given() && factor != 1) continue;
    RelevanceStep step;
    step.factor = factor;
    step.learned = {learned.transform, factor * form.family.sigma};
    double log_lambda = 0;
    for (std::size_t k = 0; k < folds.size(); ++k) {
      step.folds.push_back({own[k].transform, step.learned.bandwidth});
      const auto [lambda, error] = DrawnFeatures(form, step.folds[k], folds[k].fit, run).choose_lambda(folds[k].held);
      step.error += error / static_cast<double>(folds.size());
      log_lambda += std::log(lambda) / static_cast<double>(folds.size());
    }
    step.lambda = std::exp(log_lambda);
    if (best.folds.empty() || step.error < best.error) best = std::move(step);
  }
  return best;
}

class FeatureRounds {
 public:
  FeatureRounds(const FeatureForm& form, std::span<const Fold> folds, const LabelledRows* whole, const Run& run)
      : form_(form), folds_(folds), run_(run) {
    for (const Fold& fold : folds) rows_.push_back(&fold.fit);
    if (whole != nullptr) rows_.push_back(whole);
    learned_.assign(rows_.size(), {form.base, 0});
  }

  RelevanceStep next() {
    RelevanceStep step = choose_sigma(form_, learned_.back(), learned_, folds_, run_);
    learn(step);
    return step;
  }

 private:
  /// The factors of the next round, and the sensitivity of this one's fit.
  void learn(RelevanceStep& step) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const LearnedInputs inputs{learned_[k].transform, step.learned.bandwidth};
      const DrawnFeatures drawn(form_, inputs, *rows_[k], run_);
      const std::vector<double> roots = root_squares(form_, inputs.transform, drawn, step.lambda, *rows_[k], run_);
      // The last is that of all rows where there are folds.
      step.sensitivity = sensitivity_of(roots, form_.base, form_.base.apply(rows_[k]->x), rows_[k]->x.rows());
      learn_factors(roots, inputs.transform.inputs(form_.inputs).bias, learned_[k].transform);
    }
  }

  const FeatureForm& form_;
  std::span<const Fold> folds_;
  const Run& run_;
  std::vector<const LabelledRows*> rows_;  // of each fold, then all
  std::vector<LearnedInputs> learned_;     // by each of them
};

/// The kernel's factors for the columns that features see.
LearnedInputs borrowed(const FeatureForm& form, const InputTransform& kernel) {
  LearnedInputs result{form.base, 0};
  const bool bias = form.base.inputs(form.inputs).bias;
  std::vector<double> factors(form.base.columns.size());
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const auto found = std::find(kernel.columns.begin(), kernel.columns.end(), form.base.columns[j]);
    if (found != kernel.columns.end()) factors[j] = kernel.factors[at(found - kernel.columns.begin())];
  }
  learn_factors(factors, bias, result.transform);
  return result;
}

}  // namespace

std::vector<RelevanceStep> learn_feature_relevance(const FeatureForm& form, std::span<const Fold> folds,
                                                   const LabelledRows* whole, Index rounds, const Run& run) {
  FeatureRounds learners(form, folds, whole, run);
  return steps_while_better(
      rounds, [&] { return learners.next(); }, run);
}

RelevanceStep borrow_relevance(const FeatureForm& form, const RelevanceStep& kernel, std::span<const Fold> folds,
                               const Run& run) {
  std::vector<LearnedInputs> own;
  for (const LearnedInputs& fold : kernel.folds) own.push_back(borrowed(form, fold.transform));
  RelevanceStep step = choose_sigma(form, borrowed(form, kernel.learned.transform), own, folds, run);
  step.sensitivity = kernel.sensitivity;
  return step;
}

FeatureFit fit_features(const FeatureForm& form, const RelevanceStep& step, const LabelledRows& all,
                        std::span<const Fold> folds, const Run& run) {
  FeatureFit result;
  result.held_scores = Matrix(held_rows(folds), all.outputs());
  Index first = 0;
  double log_lambda = 0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    DrawnFeatures drawn(form, step.folds[k], folds[k].fit, run);
    const double lambda = drawn.choose_lambda(folds[k].held).first;
    const Member member = drawn.member(lambda);
    const Matrix scores = member_predictions({&member, 1}, folds[k].held.x, run);
    std::copy_n(scores.data(), scores.rows() * scores.cols(), result.held_scores.row(first));
    first += scores.rows();
    log_lambda += std::log(lambda);
    if (folds.size() > 1) continue;
    drawn.add(folds[k].held);
    result.lambda = lambda;
    result.member = drawn.member(lambda);
  }
  if (folds.size() > 1) {
    result.lambda = std::exp(log_lambda / static_cast<double>(folds.size()));
    result.member = DrawnFeatures(form, step.learned, all, run).member(result.lambda);
  }
  return result;
}

}  // namespace weft::detail
