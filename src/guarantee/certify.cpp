#include <weft/certify.hpp>
#include <weft/learned_activation.hpp>

#include "core/json_text.hpp"
#include "guarantee/held_out.hpp"
#include "guarantee/softmax.hpp"
#include "guarantee/theorems.hpp"
#include "methods/method.hpp"
#include "train/stored_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

/// In the order of the output; softmax has models of its own.
constexpr Theorem kTheorems[] = {Theorem::theorem_6_2, Theorem::theorem_6_5, Theorem::theorem_10,  Theorem::trace,
                                 Theorem::theorem_6_3, Theorem::theorem_6_6, Theorem::theorem_6_7, Theorem::theorem_11,
                                 Theorem::theorem_6_8, Theorem::theorem_8,   Theorem::equation_62, Theorem::wang_1,
                                 Theorem::wang_2};

/// The loss the model was fitted with; models assembled from parts have the squared or the logistic loss.
Loss loss_of(const Model& model) {
  const ModelParts& parts = model.parts();
  const Task task = model.target().task;
  Loss loss(parts.probabilistic ? Loss::Kind::logistic : Loss::Kind::squared);
  if (parts.options.contains("fit")) {
    const auto fit = stored_options<FitOptions>(parts.options);
    loss = method_of(fit).loss(fit, task);
  }
  return loss;
}

/// Why no theorem covers the model, and what to do.
std::optional<Error> not_covered(const Model& model) {
  if (!model.parts().members.empty())
    return Error(
        ErrorKind::option, "no theorem covers a sum of several members", {},
        "certify a model of one feature map or kernel, for instance of ‹fit› least-squares or kernel-ridge, or "
        "give ‹held_out› rows");
  if (const FittedLoss& loss = model.parts().loss; loss.kind != RegressionLoss::squared)
    return Error(ErrorKind::option, fmt::format("no theorem covers the {} loss", name_of(loss.kind)), {},
                 fmt::format("certify a model of ‹fit› least-squares{}",
                             loss.is_quantile() ? "" : ", or give ‹held_out› rows, which bound the squared error"));
  return std::nullopt;
}

/// Its outputs are coupled.
bool has_softmax(const Model& model) {
  return loss_of(model).kind() == Loss::Kind::logistic && model.parts().probabilistic && model.outputs() > 1;
}

Original compare(const Model& model, const Model& original, const Data& data, const Loss& loss, const Run& run) {
  Original result{0, {}, original.parts().intercepts, weighting_distance(model, original, run)};
  if (!result.distance.reason.empty()) return result;
  result.train_loss = measure_sample(original, data, loss, run).mean(&OutputSample::train_loss);
  result.rkhs_norms = original.rkhs_norms(run);
  return result;
}

std::vector<std::string> notes_on(const Facts& facts) {
  std::vector<std::string> notes;
  const ModelParts& parts = facts.model.parts();
  const Index fitted = parts.encoder.rows_seen();
  const std::optional<double> mse = parts.report.number("train_mse");
  const double loss = facts.sample.mean(&OutputSample::train_loss);
  if (fitted != facts.sample.rows)
    notes.emplace_back(
        fmt::format("the model was fitted on {} rows and these are {}: the loss here is not its training "
                    "loss, though the theorems hold for any independent rows",
                    fitted, facts.sample.rows));
  else if (mse && std::abs(loss - *mse) > 1e-3 * (loss + *mse))
    notes.emplace_back(
        fmt::format("the loss of the fit was {:.4g} and that of these rows is {:.4g}: they are not the rows it was "
                    "fitted on, or the fit used weights",
                    *mse, loss));
  if (std::any_of(parts.map.parts().begin(), parts.map.parts().end(),
                  [](const FeaturePart& part) { return part.family.activation->name() == LearnedActivation::kName; }))
    notes.emplace_back(
        "the activation was learned from the rows, while the theorems assume that it was fixed before: the bounds hold "
        "only for rows that were used neither to fit the model nor to learn the activation");
  if (facts.alternatives > 1)
    notes.emplace_back(
        fmt::format("the model was chosen from {:.0f} alternatives by a search over these rows: delta is divided among "
                    "them, so the choice is covered",
                    facts.alternatives));
  if (facts.model.outputs() > 1)
    notes.emplace_back("losses are means over the outputs, and delta is divided among the outputs");
  const bool lost =
      std::any_of(facts.rkhs_norms.begin(), facts.rkhs_norms.end(), [](double norm) { return !std::isfinite(norm); });
  if (lost || facts.constants.theta == 0.0 || facts.constants.theta_bound == 0.0)
    notes.emplace_back(
        "a norm or theta is beyond the range of double: bounds that use it are infinite; use a larger gamma");
  return notes;
}

double alternatives_of(const Model& model) {
  const auto found = model.parts().provenance.find("alternatives");
  return found == model.parts().provenance.end() ? 1 : std::max(1.0, std::strtod(found->second.c_str(), nullptr));
}

/// Throws if only one theorem is requested and none of its versions applies.
void check_asked(const std::vector<BoundLine>& lines, Theorem bound) {
  if (std::any_of(lines.begin(), lines.end(), [](const BoundLine& line) { return !line.inapplicable; })) return;
  throw Error(ErrorKind::option, fmt::format("{} does not apply: {}", lines[0].name, *lines[0].inapplicable), "‹bound›",
              bound == Theorem::theorem_8 ? "give the model it was pruned from as ‹original›"
                                          : "leave it out to see the theorems that apply");
}

Certificate without_theorems(const Model& model, const Data& data, double delta, const HeldOutBound& plain,
                             const std::string& reason, const Run& run) {
  return {.loss = plain.loss,
          .rows = model.parts().encoder.rows_seen(),
          .delta = delta,
          .train_loss = plain_loss(model, data, run),
          .trivial_loss = plain.constant,
          .intercepts = model.parts().intercepts,
          .held_out = plain,
          .notes = {reason}};
}

Certificate by_theorems(const Model& model, const Data& data, const CertifyOptions& options, const Model* original,
                        const Run& run) {
  const Loss loss = loss_of(model);
  Facts facts{.model = model,
              .loss = loss,
              .delta = options.delta,
              .alternatives = alternatives_of(model),
              .difference = 0,
              .sample = measure_sample(model, data, loss, run),
              .constants = sample_constants(model, data, run),
              .rkhs_norms = model.rkhs_norms(run),
              .l2p_norms = square_integrable_norms(model, run),
              .original = {}};
  facts.difference = options.difference.value_or(0.01 * facts.sample.mean(&OutputSample::trivial_loss));
  if (original != nullptr) facts.original = compare(model, *original, data, loss, run);

  Certificate result{.loss = loss.name(),
                     .rows = facts.sample.rows,
                     .delta = options.delta,
                     .train_loss = facts.sample.mean(&OutputSample::train_loss),
                     .trivial_loss = facts.sample.mean(&OutputSample::trivial_loss),
                     .constants = facts.constants,
                     .rkhs_norms = facts.rkhs_norms,
                     .l2p_norms = facts.l2p_norms,
                     .intercepts = model.parts().intercepts,
                     .notes = notes_on(facts)};
  for (const OutputSample& output : facts.sample.outputs) {
    result.target_centres.push_back(output.target_centre);
    result.target_radii.push_back(output.target_radius);
  }
  if (facts.original && facts.original->distance.reason.empty()) result.distances = facts.original->distance.norms;
  if (options.bound == Theorem::softmax) result.lines = theorem_lines(Theorem::softmax, facts);
  for (const Theorem theorem : kTheorems) {
    if (options.bound != Theorem::all && options.bound != theorem) continue;
    for (BoundLine& line : theorem_lines(theorem, facts)) result.lines.push_back(std::move(line));
  }
  if (options.bound != Theorem::all) check_asked(result.lines, options.bound);
  return result;
}

std::optional<std::size_t> smallest(const std::vector<BoundLine>& lines) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const BoundLine& line = lines[i];
    if (line.inapplicable || line.claim != "risk" || line.radius != "learned") continue;
    if (!best || line.bound < lines[*best].bound) best = i;
  }
  return best;
}

}  // namespace

Certificate certify(const Model& model, const Data& data, const CertifyOptions& options, const Run& run,
                    const Model* original, const Data* held_out) {
  check_options(options);
  const std::optional<Error> reason = not_covered(model);
  const bool stored = !model.parts().conformity.empty();
  // Quantiles have no squared error that held-out rows could bound.
  const bool measurable = (held_out != nullptr || stored) && !model.parts().loss.is_quantile();
  if (reason && (options.bound != Theorem::all || !measurable)) throw *reason;
  if (original != nullptr)
    if (const std::optional<Error> other = not_covered(*original)) throw *other;
  check_unweighted(data);
  std::optional<HeldOutBound> plain = held_out_bound(model, data, held_out, options.delta, run);
  if (reason) return without_theorems(model, data, options.delta, *plain, reason->message(), run);
  Certificate result = has_softmax(model) ? softmax_certificate(model, data, options, alternatives_of(model), run)
                                          : by_theorems(model, data, options, original, run);
  result.held_out = std::move(plain);
  result.best = smallest(result.lines);
  return result;
}

namespace {

Json held_out_to_json(const HeldOutBound& bound) {
  Json json = {{"name", bound.name},
               {"loss", bound.loss},
               {"by", name_of(bound.by)},
               {"rows", bound.rows},
               {"measured", number_to_json(bound.measured)},
               {"bound", number_to_json(bound.bound)},
               {"constant", number_to_json(bound.constant)}};
  if (bound.constant > 0) json["relative"] = number_to_json(bound.bound / bound.constant);
  json["vacuous"] = bound.vacuous;
  json["assumes"] = bound.assumes;
  return json;
}

/// `trivial` 0: without the bound's ratio to it.
Json line_to_json(const BoundLine& line, double trivial) {
  Json json = {{"name", line.name}, {"claim", line.claim}, {"radius", line.radius}, {"theta", line.theta}};
  if (line.inapplicable) {
    json["inapplicable"] = *line.inapplicable;
    return json;
  }
  json["gap"] = number_to_json(line.gap);
  json["bound"] = number_to_json(line.bound);
  if (trivial > 0) json["relative"] = number_to_json(line.bound / trivial);
  if (line.error) json["error"] = number_to_json(*line.error);
  if (line.complexity) json["complexity"] = number_to_json(*line.complexity);
  if (line.lower) json["lower"] = number_to_json(*line.lower);
  if (line.rows_for_lower) json["rows_for_lower"] = number_to_json(*line.rows_for_lower);
  json["vacuous"] = line.vacuous;
  if (line.rows_needed) json["rows_needed"] = number_to_json(*line.rows_needed);
  if (line.features_needed) json["features_needed"] = number_to_json(*line.features_needed);
  if (line.best_lambda) json["best_lambda"] = number_to_json(*line.best_lambda);
  json["assumes"] = line.assumes;
  return json;
}

}  // namespace

std::string BoundLine::to_json() const {
  return json_document(line_to_json(*this, 0));
}

std::string Certificate::to_json() const {
  Json json = {{"rows", rows},
               {"delta", delta},
               {"loss", loss},
               {"train_loss", number_to_json(train_loss)},
               {"trivial_loss", number_to_json(trivial_loss)}};
  if (held_out) json["held_out"] = held_out_to_json(*held_out);
  json["theta"] = {{"paper", number_to_json(constants.theta_bound)}, {"exact", number_to_json(constants.theta)}};
  if (constants.theta_mean) json["theta"]["mean"] = number_to_json(constants.theta_mean);
  json["kappa"] = number_to_json(constants.kappa);
  json["tau"] = number_to_json(constants.tau);
  if (constants.tau_mean) json["tau_mean"] = number_to_json(constants.tau_mean);
  json["norms"]["rkhs"] = numbers_to_json(rkhs_norms);
  if (l2p_norms) json["norms"]["l2p"] = numbers_to_json(*l2p_norms);
  if (distances) json["norms"]["to_original"] = numbers_to_json(*distances);
  json["intercepts"] = numbers_to_json(intercepts);
  json["targets"] = {{"centre", numbers_to_json(target_centres)}, {"radius", numbers_to_json(target_radii)}};
  json["bounds"] = Json::array();
  for (const BoundLine& line : lines) json["bounds"].push_back(line_to_json(line, trivial_loss));
  json["best"] = best ? Json(*best) : Json(nullptr);
  json["notes"] = notes;
  return json_document(json);
}

}  // namespace weft
