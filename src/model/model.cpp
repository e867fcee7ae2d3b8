#include <weft/model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "core/utf8.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode/read_ahead.hpp"
#include "model/intervals.hpp"
#include "model/narrow_inputs.hpp"
#include "model/predictor.hpp"

namespace weft {

using namespace detail;

namespace {

void require(bool condition, const std::string& what) {
  if (!condition)
    throw Error(ErrorKind::model, "the parts of the model are inconsistent: " + what, {}, "train the model again");
}

Index outputs_of(const TargetInfo& target, const FittedLoss& loss) {
  switch (target.task) {
    case Task::binary:
      return 1;
    case Task::multiclass:
      return static_cast<Index>(target.classes.size());
    case Task::regression:
      return loss.outputs(static_cast<Index>(target.names.size()));
    case Task::none:
      break;
  }
  return 0;
}

void check_members(const ModelParts& parts, Index outputs) {
  for (const Member& member : parts.members) member.check(parts.encoder.inputs().columns(), outputs);
  require(parts.members.empty() || parts.map.features() == 0, "features beside members");
  const std::vector<double>& relevance = parts.relevance;
  require(relevance.empty() || static_cast<Index>(relevance.size()) == parts.encoder.inputs().variables(),
          "relevance and variables");
  require(std::all_of(relevance.begin(), relevance.end(), [](double share) { return share >= 0 && share <= 1; }),
          "a relevance outside 0 to 1");
}

/// Earlier versions took the texts of tables in other encodings as they were.
bool knows_raw_texts(const Encoder::State& encoder, const TargetInfo& target) {
  const auto all_utf8 = [](const std::vector<std::string>& texts) {
    return std::all_of(texts.begin(), texts.end(), is_utf8);
  };
  return !all_utf8(target.classes) ||
         std::any_of(encoder.variables.begin(), encoder.variables.end(), [&](const Variable& variable) {
           return !is_utf8(variable.name) || !all_utf8(variable.categories.labels());
         });
}

void check_loss(const FittedLoss& loss, const TargetInfo& target, Index outputs) {
  const std::vector<double>& quantiles = loss.quantiles;
  require(loss.kind == RegressionLoss::squared || target.task == Task::regression, "a loss of numbers for classes");
  require(!loss.is_quantile() || target.names.size() == 1, "quantiles of several targets");
  require(std::is_sorted(quantiles.begin(), quantiles.end()) &&
              std::all_of(quantiles.begin(), quantiles.end(), [](double q) { return q > 0 && q < 1; }),
          "quantiles out of range or order");
  require(loss.kind != RegressionLoss::huber || static_cast<Index>(loss.thresholds.size()) == outputs, "thresholds");
}

void check_parts(const ModelParts& parts) {
  const TargetInfo& target = parts.encoder.target();
  const Index outputs = outputs_of(target, parts.loss);
  const Index features = parts.map.features();
  const auto per_output = [&](const std::vector<double>& numbers) {
    return static_cast<Index>(numbers.size()) == outputs;
  };
  require(outputs > 0, "it has no target");
  check_loss(parts.loss, target, outputs);
  require(parts.map.inputs().columns() == parts.encoder.inputs().columns(), "encoder and features");
  check_members(parts, outputs);
  require(parts.coefficients.rows() == features && (parts.coefficients.cols() == outputs || !parts.members.empty()),
          fmt::format("coefficients are {}x{} for {} features and {} outputs", parts.coefficients.rows(),
                      parts.coefficients.cols(), features, outputs));
  require(per_output(parts.intercepts), "intercepts");
  require(parts.calibration.slope.size() == parts.calibration.offset.size(), "calibration");
  require(parts.calibration.slope.empty() || per_output(parts.calibration.slope), "calibration");
  const bool probabilities = parts.probabilistic || !parts.calibration.slope.empty();
  require(!probabilities || target.task != Task::regression, "probabilities of a regression");
  const Matrix& factor = parts.variance_factor;
  require(factor.rows() == factor.cols() && (factor.rows() == 0 || factor.rows() == features), "variance factor");
  require(factor.rows() == 0 || per_output(parts.noise), "noise");
  require(parts.variance_means.empty() || static_cast<Index>(parts.variance_means.size()) == features,
          "variance means");
  const std::size_t tables = target.task == Task::regression ? parts.intercepts.size() : 1 + target.classes.size();
  require(parts.conformity.empty() || parts.conformity.tables.size() == tables, "scores for intervals");
}

/// All of one matrix of the prediction blocks, one under the other.
template <class Choose>
Matrix gather(const Model& model, const Data& data, const Run& run, Choose&& choose) {
  std::vector<double> numbers;
  Index cols = 0;
  model.for_each_prediction(
      data, {},
      [&](const PredictionBlock& block) {
        const Matrix& part = choose(block);
        cols = part.cols();
        numbers.insert(numbers.end(), part.data(), part.data() + part.rows() * part.cols());
      },
      run);
  Matrix all(cols == 0 ? 0 : static_cast<Index>(numbers.size()) / cols, cols);
  std::copy(numbers.begin(), numbers.end(), all.data());
  return all;
}

/// √(aᵀRa) per output for R = G or M, in the scaled unknowns b_t = A(w_t)·a_t, which are what a model keeps:
/// aᵀRa = exp(-2s)·bᵀR̃b with s the largest log A. The rest of the exponents is added in logarithms, so that only the
/// result itself can underflow.
std::vector<double> norms_of(const ModelParts& parts, double largest_log, const Matrix& scaled) {
  const Matrix& b = parts.coefficients;
  std::vector<double> result;
  for (Index k = 0; k < b.cols(); ++k) {
    double unit = 0;
    for (Index t = 0; t < b.rows(); ++t) unit = std::max(unit, std::abs(b(t, k)));
    Matrix column(b.rows(), 1);
    for (Index t = 0; t < b.rows() && unit > 0; ++t) column(t, 0) = b(t, k) / unit;
    Matrix product(b.rows(), 1);
    cpu().add_symmetric_product(1, scaled, column, product, 1);
    const double square = std::max(0.0, cpu().dot(b.rows(), column.data(), product.data()));
    result.push_back(square == 0 ? 0 : std::exp(0.5 * std::log(square) + std::log(unit) - largest_log));
  }
  return result;
}

double largest_log_amplitude(const FeatureMap& map) {
  const std::vector<double> logs = map.log_amplitudes();
  return *std::max_element(logs.begin(), logs.end());
}

}  // namespace

void detail::check_decision(const Model& model, const DecisionOptions& decision) {
  if (!decision.threshold) return;
  check_options(decision);
  if (model.target().task == Task::multiclass)
    throw Error(ErrorKind::option, "a threshold is for two classes, and this model has more", "‹threshold›",
                "leave it out");
  model.check_probabilities("threshold");
}

Model::Model(ModelParts parts) : parts_(std::make_shared<const ModelParts>(std::move(parts))) {
  check_parts(*parts_);
}

const TargetInfo& Model::target() const {
  return parts_->encoder.target();
}

std::vector<std::string> Model::value_names() const {
  return parts_->loss.column_names(target().names);
}

Index Model::outputs() const {
  return static_cast<Index>(parts_->intercepts.size());
}

Index Model::features() const {
  Index count = parts_->map.features();
  for (const Member& member : parts_->members) count += member.features();
  return count;
}

std::vector<Relevance> Model::relevance() const {
  const std::vector<std::string> names = parts_->encoder.variable_names();
  std::vector<Relevance> result;
  for (std::size_t v = 0; v < parts_->relevance.size(); ++v) result.push_back({names[v], parts_->relevance[v]});
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  return result;
}

ReadOptions Model::read_options(ReadOptions given) const {
  const auto na_values = parts().options.find("na_values");
  if (given.na_values.empty() && na_values != parts().options.end()) given.na_values = na_values->second;
  if (given.encoding == TextEncoding::automatic && knows_raw_texts(parts().encoder.state(), target()))
    given.encoding = TextEncoding::utf_8;
  return given;
}

bool Model::has_probabilities() const {
  return parts_->probabilistic || !parts_->calibration.slope.empty();
}

void Model::check_probabilities(const char* option) const {
  if (has_probabilities()) return;
  if (target().task == Task::regression)
    throw Error(ErrorKind::option, "a regression has no class probabilities", option_mark(option), "leave it out");
  throw Error(ErrorKind::option, "this model predicts scores, not class probabilities", option_mark(option),
              "train it again: classifiers of this version are calibrated unless they are fitted in batches");
}

Matrix Model::predict(const Data& data, const Run& run) const {
  return gather(*this, data, run, [](const PredictionBlock& block) -> const Matrix& { return block.values; });
}

Matrix Model::probabilities(const Data& data, const Run& run) const {
  check_probabilities();
  return gather(*this, data, run, [](const PredictionBlock& block) -> const Matrix& { return block.probabilities; });
}

void Model::for_each_prediction(const Data& data, const PredictOptions& options,
                                const std::function<void(const PredictionBlock&)>& consume, const Run& run) const {
  check_decision(*this, options.decision);
  std::optional<ModelParts> narrow;
  if (const auto inputs = narrow_inputs(parts_->encoder, parts_->map)) {
    narrow = *parts_;
    narrow->encoder = inputs->encoder;
    narrow->map = inputs->map;
  }
  const ModelParts& parts = narrow ? *narrow : *parts_;
  const Predictor predictor(parts, options);
  const Intervals intervals(*this, options);
  if (const std::string note = intervals.note(); !note.empty()) run.warn(note);
  ReadAhead reader(parts.encoder.open(data, options.with_targets, reading_run(run)), Predictor::kBlockRows,
                   parts.encoder.inputs().columns(), run);
  PredictionBlock predictions;
  for (Block block; reader.next(block);) {
    run.check_cancelled();
    predictions.first_row = block.first_row;
    predictor.predict(block.x, predictions, run);
    intervals.write(predictions);
    predictions.targets.reshape(block.y.cols(), block.y.rows());
    for (Index i = 0; i < block.y.cols(); ++i)
      for (Index k = 0; k < block.y.rows(); ++k) predictions.targets(i, k) = block.y(k, i);
    predictions.weights = std::move(block.weights);
    consume(predictions);
    const auto done = static_cast<double>(block.first_row + block.rows());
    const double fraction = reader.fraction();
    run.report("predict", done, fraction > 0 ? done / fraction : 0);
  }
}

std::vector<double> Model::rkhs_norms(const Run& run) const {
  if (!parts_->members.empty())
    throw Error(ErrorKind::option, "a sum of several members has no norm of its own", {},
                "fit one kernel or one feature map, for instance with ‹fit› kernel-ridge");
  const double largest = largest_log_amplitude(parts_->map);
  return norms_of(*parts_, largest, parts_->map.scaled_gram(largest, run));
}

std::optional<std::vector<double>> Model::l2p_norms(const Run& run) const {
  if (parts_->map.sections() != nullptr || !parts_->members.empty()) return std::nullopt;
  for (const FeaturePart& part : parts_->map.parts())
    if (part.family.kernel.none()) return std::nullopt;
  const double largest = largest_log_amplitude(parts_->map);
  return norms_of(*parts_, largest, parts_->map.scaled_l2_gram(largest, run));
}

double Model::rkhs_norm(Index output) const {
  return rkhs_norms().at(static_cast<std::size_t>(output));
}

std::optional<double> Model::l2p_norm(Index output) const {
  const auto all = l2p_norms();
  return all ? std::optional(all->at(static_cast<std::size_t>(output))) : std::nullopt;
}

}  // namespace weft
