#include <weft/explanation.hpp>

#include "data/rows/labelled_rows.hpp"
#include "data/text.hpp"
#include "explain/dependence.hpp"
#include "explain/estimate.hpp"
#include "explain/row_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

Estimate root_of(const Estimate& square) {
  return {std::sqrt(square.value), std::sqrt(std::max(0.0, square.low)), std::sqrt(square.high)};
}

bool has_target(const Model& model, const Data& data) {
  if (!data.options().target.empty()) return true;
  const auto reader = data.open();
  const std::vector<std::string>& names = model.target().names;
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(reader->columns().begin(), reader->columns().end(),
                       [&](const Column& column) { return column.name == name; });
  });
}

/// Rows without a target are left out, as in training.
bool leaves_rows_out(const Model& model, const Data& data) {
  return model.parts().encoder.options().missing != MissingCells::error && has_target(model, data);
}

class Explainer {
 public:
  /// `data`: rows with a target, or rows of which none has one.
  Explainer(const Model& model, const Data& data, const ExplainOptions& options, const Run& run)
      : parts_(model.parts()),
        inputs_(parts_.encoder.inputs()),
        names_(parts_.encoder.variable_names()),
        options_(options),
        run_(run),
        sample_(spaced_rows(parts_.encoder, data, has_target(model, data), wanted_rows(), run)),
        before_(predictions(parts_, sample_.x, run)),
        exchange_(inputs_, sample_.x, options.seed) {}

  Explanation explain(const Data& data) {
    Explanation result{.rows = sample_.count(), .curves_of = curves_of(parts_)};
    if (has_targets()) {
      result.loss = loss_name();
      result.loss_before = mean_estimate(losses(before_), sample_.weights).value;
    }
    const std::vector<Index> order = add_effects(result);
    if (order.empty()) return result;
    if (options_.curves > 0 || !options_.variables.empty())
      add_curves(order, cells_of(parts_.encoder, data, sample_.rows, run_), result);
    add_interactions(order, result);
    return result;
  }

 private:
  Index wanted_rows() const { return options_.rows > 0 ? options_.rows : affordable_rows(inputs_, options_.repeats); }

  bool has_targets() const { return sample_.y.cols() > 0; }

  std::string loss_name() const {
    if (parts_.loss.kind != RegressionLoss::squared) return fmt::format("{} loss", name_of(parts_.loss.kind));
    if (parts_.encoder.target().task == Task::regression) return "mse";
    return before_.probabilities.rows() > 0 ? "logloss" : "error";
  }

  double loss(const PredictionBlock& block, Index row) const {
    if (parts_.encoder.target().task == Task::regression) {
      const FittedLoss& loss = parts_.loss;
      double sum = 0;
      for (Index k = 0; k < block.values.cols(); ++k)
        sum += loss.value_of_prediction(block.values(row, k), sample_.y(loss.target_of(k), row), k);
      return sum / static_cast<double>(block.values.cols());
    }
    const auto truth = static_cast<Index>(sample_.y(0, row));
    if (block.probabilities.rows() == 0) return static_cast<Index>(block.values(row, 0)) == truth ? 0 : 1;
    return -std::log(std::max(block.probabilities(row, truth), std::numeric_limits<double>::min()));
  }

  std::vector<double> losses(const PredictionBlock& block) const {
    std::vector<double> all;
    for (Index i = 0; i < sample_.count(); ++i) all.push_back(loss(block, i));
    return all;
  }

  PredictionBlock exchanged(std::initializer_list<Index> variables, Index repeat) const {
    run_.check_cancelled();
    return predictions(parts_, exchange_.with(variables, repeat), run_);
  }

  VariableEffect effect_of(Index v) const {
    std::vector<double> squares(static_cast<std::size_t>(sample_.count()));
    std::vector<double> growth(squares.size());
    const auto repeats = static_cast<double>(options_.repeats);
    for (Index r = 0; r < options_.repeats; ++r) {
      const PredictionBlock after = exchanged({v}, r);
      for (Index i = 0; i < sample_.count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        for (Index k = 0; k < after.scores.cols(); ++k)
          squares[at] += std::pow(after.scores(i, k) - before_.scores(i, k), 2) / 2 / repeats;
        if (has_targets()) growth[at] += (loss(after, i) - loss(before_, i)) / repeats;
      }
    }
    const auto at = static_cast<std::size_t>(v);
    VariableEffect result{names_[at], root_of(mean_estimate(squares, sample_.weights))};
    if (has_targets()) result.loss = mean_estimate(growth, sample_.weights);
    if (!parts_.relevance.empty()) result.relevance = parts_.relevance[at];
    return result;
  }

  /// The variables in the order of the result.
  std::vector<Index> add_effects(Explanation& result) const {
    std::vector<VariableEffect> all;
    for (Index v = 0; v < inputs_.variables(); ++v) {
      run_.report("variables", static_cast<double>(v), static_cast<double>(inputs_.variables()));
      all.push_back(effect_of(v));
    }
    std::vector<Index> order(all.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto key = [&](Index v) {
      const VariableEffect& effect = all[static_cast<std::size_t>(v)];
      return effect.loss ? effect.loss->value : effect.effect.value;
    };
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) > key(b); });
    for (const Index v : order) result.variables.push_back(all[static_cast<std::size_t>(v)]);
    return order;
  }

  /// Those that were asked for, or the first.
  std::vector<Index> curve_variables(std::vector<Index> order) const {
    if (options_.variables.empty()) {
      order.resize(std::min(order.size(), static_cast<std::size_t>(options_.curves)));
      return order;
    }
    std::vector<Index> chosen;
    for (const std::string& name : split_list(options_.variables)) {
      const auto found = std::find(names_.begin(), names_.end(), name);
      if (found == names_.end())
        throw Error(ErrorKind::option, fmt::format("the model has no variable '{}'", name), "‹variables›",
                    fmt::format("its variables are {}", fmt::join(names_, ", ")));
      chosen.push_back(found - names_.begin());
    }
    return chosen;
  }

  void add_curves(const std::vector<Index>& order, const std::vector<Cells>& cells, Explanation& result) const {
    const std::vector<Index> chosen = curve_variables(order);
    for (const Index v : chosen) {
      run_.report("curves", static_cast<double>(result.curves.size()), static_cast<double>(chosen.size()));
      result.curves.push_back(
          dependence_curve(parts_, sample_, v, cells[static_cast<std::size_t>(v)], options_.points, run_));
    }
  }

  void add_interactions(std::vector<Index> order, Explanation& result) const {
    order.resize(std::min(order.size(), static_cast<std::size_t>(options_.interactions)));
    std::vector<Matrix> alone;
    for (const Index v : order) alone.push_back(exchanged({v}, 0).scores);
    for (std::size_t a = 0; a < order.size(); ++a)
      for (std::size_t b = a + 1; b < order.size(); ++b) {
        run_.report("interactions", static_cast<double>(a), static_cast<double>(order.size()));
        const Matrix both = exchanged({order[a], order[b]}, 0).scores;
        std::vector<double> squares(static_cast<std::size_t>(sample_.count()));
        for (Index i = 0; i < both.rows(); ++i)
          for (Index k = 0; k < both.cols(); ++k)
            squares[static_cast<std::size_t>(i)] +=
                std::pow(before_.scores(i, k) - alone[a](i, k) - alone[b](i, k) + both(i, k), 2) / 4;
        const auto name = [&](std::size_t at) { return names_[static_cast<std::size_t>(order[at])]; };
        result.interactions.push_back({name(a), name(b), root_of(mean_estimate(squares, sample_.weights))});
      }
    std::stable_sort(result.interactions.begin(), result.interactions.end(),
                     [](const Interaction& a, const Interaction& b) { return a.strength.value > b.strength.value; });
  }

  const ModelParts& parts_;
  const Inputs& inputs_;
  std::vector<std::string> names_;
  const ExplainOptions& options_;
  const Run& run_;
  RowSample sample_;
  PredictionBlock before_;
  ExchangedRows exchange_;
};

}  // namespace

Explanation explain(const Model& model, const Data& data, const ExplainOptions& options, const Run& run) {
  check_options(options);
  if (!leaves_rows_out(model, data)) return Explainer(model, data, options, run).explain(data);
  const auto numbers = std::make_shared<std::vector<Index>>();
  const Data labelled = labelled_rows(data, model.target().names, run, numbers);
  Explanation result = Explainer(model, labelled, options, run).explain(labelled);
  for (DependenceCurve& curve : result.curves)
    for (Index& row : curve.rows) row = (*numbers)[static_cast<std::size_t>(row)];
  return result;
}

}  // namespace weft
