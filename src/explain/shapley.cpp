// Shapley values of the variables of a row: φ_v = mean over orders of the variables of f(values of the row up to v, the
// rest from a background row) − f(the same without v). Efficiency holds: base + Σ φ_v = f(row).
#include <weft/explanation.hpp>

#include "core/random.hpp"
#include "explain/dependence.hpp"
#include "explain/row_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;

namespace {

constexpr Index kBackgroundRows = 200;
constexpr Index kStates = 4096;  // rows that are predicted at a time
constexpr Index kSeveral = -2;

/// The variable that a group of columns belongs to: −1 for the bias alone, kSeveral for more than one.
Index variable_of_group(const Inputs& inputs, const ColumnGroup& group) {
  Index variable = -1;
  for (const Index column : group.columns) {
    const Index of = inputs.variable_of[static_cast<std::size_t>(column)];
    if (of < 0 || of == variable) continue;
    if (variable >= 0) return kSeveral;
    variable = of;
  }
  return variable;
}

/// The variable that every feature depends on; empty where one depends on several: the model is then not a sum of
/// functions of one variable each.
std::vector<Index> variables_of_features(const ModelParts& parts) {
  std::vector<Index> result;
  if (!parts.members.empty() || parts.map.sections() != nullptr) return result;
  for (const FeaturePart& part : parts.map.parts()) {
    std::vector<Index> of_group;
    for (const ColumnGroup& group : part.centres.groups)
      of_group.push_back(variable_of_group(parts.map.inputs(), group));
    for (const Index group : part.centres.group_of) {
      const Index variable = of_group[static_cast<std::size_t>(group)];
      if (variable == kSeveral) return {};
      result.push_back(variable);
    }
  }
  return result;
}

}  // namespace

namespace detail {

/// Matrices are variables × outputs.
struct Values {
  std::vector<double> base;
  Matrix value;
  Matrix variance;  ///< of the value; empty where exact
};

/// f(x) = Σ_v f_v(x_v): φ_v = f_v(x_v) − mean f_v.
class ExactValues {
 public:
  ExactValues(const ModelParts& parts, std::vector<Index> variable, const RowSample& background, const Run& run)
      : parts_(parts), variable_(std::move(variable)) {
    const PredictionBlock all = predictions(parts, background.x, run);
    base_.assign(static_cast<std::size_t>(outputs()), 0.0);
    mean_ = Matrix(variables(), outputs());
    const double total = std::accumulate(background.weights.begin(), background.weights.end(), 0.0);
    for (Index i = 0; i < background.count(); ++i) {
      const double weight = background.weights[static_cast<std::size_t>(i)] / total;
      for (Index o = 0; o < outputs(); ++o) base_[static_cast<std::size_t>(o)] += weight * all.scores(i, o);
      add_terms(background.x, i, weight, mean_, run);
    }
  }

  Values of(const Matrix& x, Index row, const Run& run) const {
    Values result{base_, Matrix(variables(), outputs()), {}};
    add_terms(x, row, 1, result.value, run);
    for (Index k = 0; k < mean_.rows() * mean_.cols(); ++k) result.value.data()[k] -= mean_.data()[k];
    return result;
  }

 private:
  Index outputs() const { return static_cast<Index>(parts_.intercepts.size()); }
  Index variables() const { return parts_.map.inputs().variables(); }

  void add_terms(const Matrix& x, Index row, double weight, Matrix& sums, const Run& run) const {
    Matrix phi(parts_.map.features(), 1);
    parts_.map.smoothings(View<const double>(x.view()).col_range(row, 1), phi.view(), run);
    for (Index t = 0; t < phi.rows(); ++t)
      if (const Index v = variable_[static_cast<std::size_t>(t)]; v >= 0)
        for (Index o = 0; o < outputs(); ++o) sums(v, o) += weight * parts_.coefficients(t, o) * phi(t, 0);
  }

  const ModelParts& parts_;
  std::vector<Index> variable_;
  std::vector<double> base_;
  Matrix mean_;
};

}  // namespace detail

namespace {

/// Sampled orders, each with its reverse, which halves the variance at least where f is monotone, and with the next
/// background row (Castro, Gómez & Tejada 2009).
class SampledValues {
 public:
  SampledValues(const ModelParts& parts, const RowSample& background, const ExplainOptions& options, const Run& run)
      : parts_(parts),
        background_(background),
        random_(options.seed, RandomStream::resampling),
        pairs_(std::max<Index>(1, options.permutations / 2)),
        run_(run) {}

  Values of(const Matrix& x, Index row) const {
    const Index outputs = static_cast<Index>(parts_.intercepts.size());
    Values result{std::vector<double>(static_cast<std::size_t>(outputs)), Matrix(variables(), outputs),
                  Matrix(variables(), outputs)};
    const Index together = std::max<Index>(1, kStates / (2 * states()));
    for (Index first = 0; first < pairs_; first += together)
      add_pairs(x, row, first, std::min(together, pairs_ - first), result);
    const auto n = static_cast<double>(pairs_);
    for (double& base : result.base) base /= n;
    for (Index k = 0; k < variables() * outputs; ++k) {
      const double mean = result.value.data()[k] / n;
      const double spread = std::max(0.0, result.variance.data()[k] / n - mean * mean);
      result.value.data()[k] = mean;
      result.variance.data()[k] = pairs_ > 1 ? spread / (n - 1) : 0;
    }
    return result;
  }

 private:
  Index variables() const { return parts_.map.inputs().variables(); }
  Index states() const { return variables() + 1; }  ///< from none of the row's values to all of them

  std::vector<Index> order(Index pair) const {
    std::vector<Index> result(static_cast<std::size_t>(variables()));
    std::iota(result.begin(), result.end(), Index{0});
    for (Index i = variables() - 1; i > 0; --i)
      std::swap(result[static_cast<std::size_t>(i)],
                result[static_cast<std::size_t>(
                    random_.below(i + 1, static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(pair)))]);
    return result;
  }

  /// The states of one walk, from column `at` of `states` on.
  void walk(const Matrix& x, Index row, Index background, const std::vector<Index>& order, Matrix& states,
            Index at) const {
    for (Index j = 0; j < states.rows(); ++j)
      for (Index s = 0; s <= variables(); ++s) states(j, at + s) = background_.x(j, background);
    for (std::size_t k = 0; k < order.size(); ++k)
      for (Index s = static_cast<Index>(k) + 1; s <= variables(); ++s)
        set_variable(parts_.map.inputs(), order[k], x, row, states, at + s);
  }

  void add_pairs(const Matrix& x, Index row, Index first, Index count, Values& result) const {
    run_.check_cancelled();
    Matrix all(x.rows(), count * 2 * states());
    std::vector<std::vector<Index>> orders;
    for (Index p = 0; p < count; ++p) {
      const Index background = (first + p) % background_.count();
      orders.push_back(order(first + p));
      walk(x, row, background, orders.back(), all, 2 * p * states());
      std::reverse(orders.back().begin(), orders.back().end());
      walk(x, row, background, orders.back(), all, (2 * p + 1) * states());
    }
    const Matrix scores = predictions(parts_, all, run_).scores;
    for (Index p = 0; p < count; ++p) add_pair(scores, 2 * p * states(), orders[static_cast<std::size_t>(p)], result);
  }

  /// `backward` is the order of the second walk.
  void add_pair(const Matrix& scores, Index at, const std::vector<Index>& backward, Values& result) const {
    for (Index o = 0; o < scores.cols(); ++o) {
      result.base[static_cast<std::size_t>(o)] += scores(at, o);
      for (Index k = 0; k < variables(); ++k) {
        const Index v = backward[static_cast<std::size_t>(k)];
        const Index second = at + states() + k;
        const Index forward = at + variables() - 1 - k;
        const double mean =
            (scores(forward + 1, o) - scores(forward, o) + scores(second + 1, o) - scores(second, o)) / 2;
        result.value(v, o) += mean;
        result.variance(v, o) += mean * mean;
      }
    }
  }

  const ModelParts& parts_;
  const RowSample& background_;
  Random random_;
  Index pairs_;
  const Run& run_;
};

std::vector<double> row_of(const Matrix& matrix, Index row) {
  return {matrix.row(row), matrix.row(row) + matrix.cols()};
}

RowExplanation explained(const ModelParts& parts, const Values& values, const std::vector<Cells>& cells, Index row) {
  RowExplanation result{.row = row, .outputs = output_names(parts), .base = values.base};
  if (parts.loss.kind == RegressionLoss::poisson)  // scores, which variables add to, are logarithms
    for (std::string& output : result.outputs) output.insert(0, "log ");
  result.exact = values.variance.rows() == 0;
  result.prediction = values.base;
  const std::vector<std::string> names = parts.encoder.variable_names();
  for (Index v = 0; v < values.value.rows(); ++v) {
    RowExplanation::Part part{names[static_cast<std::size_t>(v)], cells[static_cast<std::size_t>(v)].shown(row),
                              row_of(values.value, v), std::vector<double>(result.base.size())};
    for (std::size_t o = 0; o < result.base.size(); ++o) {
      result.prediction[o] += part.value[o];
      if (!result.exact) part.standard_error[o] = std::sqrt(values.variance(v, static_cast<Index>(o)));
    }
    result.parts.push_back(std::move(part));
  }
  const auto size = [](const RowExplanation::Part& part) {
    return std::inner_product(part.value.begin(), part.value.end(), part.value.begin(), 0.0);
  };
  std::stable_sort(result.parts.begin(), result.parts.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  return result;
}

}  // namespace

struct RowExplainer::State {
  State(const Model& model_, const Data& rows, const ExplainOptions& options_, const Run& run)
      : model(model_),
        options(options_),
        background(
            spaced_rows(model.parts().encoder, rows, false, options.rows > 0 ? options.rows : kBackgroundRows, run)) {
    std::vector<Index> variable = variables_of_features(model.parts());
    if (!variable.empty()) exact.emplace(model.parts(), std::move(variable), background, run);
  }

  Model model;  ///< shares the parts that the rest points to
  ExplainOptions options;
  RowSample background;
  std::optional<ExactValues> exact;
};

RowExplainer::RowExplainer(const Model& model, const Data& background, const ExplainOptions& options, const Run& run) {
  check_options(options);
  state_ = std::make_unique<const State>(model, background, options, run);
}
RowExplainer::~RowExplainer() = default;
RowExplainer::RowExplainer(RowExplainer&&) noexcept = default;
RowExplainer& RowExplainer::operator=(RowExplainer&&) noexcept = default;

Index RowExplainer::background_rows() const {
  return state_->background.count();
}

std::vector<RowExplanation> RowExplainer::explain(const Data& rows, const Run& run) const {
  const ModelParts& parts = state_->model.parts();
  const RowSample own = spaced_rows(parts.encoder, rows, false, std::numeric_limits<std::int32_t>::max(), run);
  const std::vector<Cells> cells = cells_of(parts.encoder, rows, own.rows, run);
  const SampledValues sampled(parts, state_->background, state_->options, run);
  std::vector<RowExplanation> result;
  for (Index i = 0; i < own.count(); ++i) {
    run.report("rows", static_cast<double>(i), static_cast<double>(own.count()));
    const Values values = state_->exact ? state_->exact->of(own.x, i, run) : sampled.of(own.x, i);
    result.push_back(explained(parts, values, cells, i));
  }
  return result;
}

std::vector<RowExplanation> explain_rows(const Model& model, const Data& rows, const Data& background,
                                         const ExplainOptions& options, const Run& run) {
  return RowExplainer(model, background, options, run).explain(rows, run);
}

}  // namespace weft
