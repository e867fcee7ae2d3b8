#include <weft/describe.hpp>
#include <weft/version.hpp>

#include "report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr double kHoldout = 0.2;

/// Some theorems and some fits exclude each other: the section then gives the reason.
template <class Make>
ReportSection section_or_reason(const char* heading, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return {.heading = heading, .paragraphs = {fmt::format("Not available: {}.", error.message())}};
  }
}

std::uint64_t seed_of(const Model& model) {
  const auto found = model.parts().options.find("seed");
  return found == model.parts().options.end() ? 1 : std::stoull(found->second);
}

/// Which variables matter, in a table and a chart: `weft explain` shows more.
Explanation importance_of(const Model& model, const Data& data, const Run& run) {
  if (model.parts().encoder.inputs().variables() < 2) return {};
  return explain(model, data, {.repeats = 1, .curves = 0, .interactions = 0, .seed = seed_of(model)}, run);
}

EvaluationRows evaluated(const std::string& name, const Model& model, const Data& data, const Run& run) {
  return {name, predict_held_out(model, data, run), importance_of(model, data, run)};
}

/// A part of the training rows, predicted by a model fitted without them.
EvaluationRows second_fit(const Described& subject, const Run& run) {
  const DataSplit parts = hold_out(subject.train, subject.model.parts().encoder.options(),
                                   {.holdout = kHoldout, .seed = seed_of(subject.model)}, run);
  return evaluated("rows held out from a second fit", subject.refit(parts.train), parts.test, run);
}

/// Test rows, or those of a second fit; `reason`: why that was not possible, for instance too few rows.
std::optional<EvaluationRows> evaluation_rows(const Described& subject, std::string& reason, const Run& run) {
  if (subject.test) return evaluated("test rows", subject.model, *subject.test, run);
  if (!subject.refit) return std::nullopt;
  try {
    return second_fit(subject, run);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    reason = fmt::format("A second fit to part of the rows was not possible: {}.", error.message());
    return std::nullopt;
  }
}

std::string summary_of(const Described& subject) {
  const ModelParts& parts = subject.model.parts();
  const TargetInfo& target = subject.model.target();
  const std::string what = parts.loss.is_quantile()
                               ? fmt::format("{} quantiles of a number", parts.loss.quantiles.size())
                           : target.task == Task::regression ? "A number"
                                                             : fmt::format("One of {} classes", target.classes.size());
  std::vector<std::string> families;
  for (const FeaturePart& part : parts.map.parts()) families.push_back(part.family.name());
  const std::string source = !parts.members.empty() ? fmt::format(" of {} member{}", parts.members.size(),
                                                                  parts.members.size() == 1 ? "" : "s")
                             : families.empty()     ? " of a kernel"
                                                    : fmt::format(": {}", fmt::join(families, " and "));
  return fmt::format("{}, predicted from {} variables of {} rows by {} features{}.", what,
                     parts.encoder.inputs().variables(), parts.encoder.rows_seen(), subject.model.features(), source);
}

void add_facts(Report& report, const Described& subject, const Run& run) {
  const ModelParts& parts = subject.model.parts();
  for (const char* name : {"command", "data"})
    if (const auto found = parts.provenance.find(name); found != parts.provenance.end())
      report.facts.emplace_back(name, found->second);
  report.facts.emplace_back("seed", fmt::format("{}", seed_of(subject.model)));
  if (const std::optional<double> lambda = parts.report.number("lambda"))
    report.facts.emplace_back("lambda", fmt::format("{:.4g}", *lambda));
  for (const auto& [name, text] : parts.report.words)
    if (name == "validation") report.facts.emplace_back(name, text);
  if (parts.loss.kind != RegressionLoss::squared) report.facts.emplace_back("loss", name_of(parts.loss.kind));
  for (const std::string& warning : parts.report.warnings) report.facts.emplace_back("warning", warning);
  report.facts.emplace_back("weft", version());
  report.facts.emplace_back("machine", machine_text(run));
}

/// The predicted classes where a threshold decides.
void decide(const DecisionOptions& decision, HeldOut& rows) {
  if (!decision.threshold || rows.probabilities.cols() != 2) return;
  for (Index i = 0; i < rows.rows(); ++i) rows.values(i, 0) = rows.probabilities(i, 1) >= *decision.threshold ? 1 : 0;
}

}  // namespace

Report describe(const Described& subject, const Run& run) {
  std::string reason;
  const std::optional<EvaluationRows> rows = evaluation_rows(subject, reason, run);
  const TuneResult* search = subject.search ? &*subject.search : nullptr;
  const Model& model = subject.model;
  const Task task = model.target().task;
  Report report{.title = fmt::format("Prediction of {}", fmt::join(model.target().names, ", ")),
                .summary = summary_of(subject)};
  auto& sections = report.sections;
  sections.push_back(errors_section(evaluate(model, subject.train, run), rows ? &*rows : nullptr, search));
  if (!reason.empty()) sections.back().paragraphs.push_back(reason);
  if (rows && !rows->predictions.loss.is_quantile())
    sections.push_back(task == Task::regression ? residuals_section(*rows) : classes_section(*rows));
  if (search != nullptr && !search->curve.empty()) sections.push_back(curve_section(*search));
  if (search != nullptr) sections.push_back(search_section(*search));
  if (!model.parts().report.tried.empty()) sections.push_back(tried_section(model.parts().report.tried));
  if (!model.parts().members.empty()) sections.push_back(members_section(model.parts().members));
  if (!model.parts().relevance.empty()) sections.push_back(relevance_section(model.relevance()));
  if (const Explanation importance = rows ? rows->importance : importance_of(model, subject.train, run);
      !importance.variables.empty())
    sections.push_back(importance_section(importance, rows ? rows->name : "training rows", !rows));
  if (const auto curve = activation_curve(model)) sections.push_back(activation_section(*curve));
  // Of members it takes as long as their fit.
  if (model.parts().members.empty())
    sections.push_back(
        section_or_reason("Pruning", [&] { return prune_section(prune(model, subject.train, {}, run)); }));
  else
    sections.push_back(
        {.heading = "Pruning", .paragraphs = {"weft prune keeps fewer landmarks in the leaves of the members."}});
  sections.push_back(section_or_reason("Certificate", [&] {
    return certificate_section(
        certify(model, subject.train, {}, run, nullptr, subject.test ? &*subject.test : nullptr));
  }));
  add_facts(report, subject, run);
  return report;
}

Report describe(const Model& model, const Data& data, const DecisionOptions& decision, const Run& run) {
  EvaluationRows rows = evaluated("rows of " + data.name(), model, data, run);
  decide(decision, rows.predictions);
  Report report{.title = fmt::format("Prediction of {} in {}", fmt::join(model.target().names, ", "), data.name()),
                .summary = summary_of({model, data})};
  report.sections.push_back(errors_section({}, &rows, nullptr));
  if (!rows.predictions.loss.is_quantile())
    report.sections.push_back(model.target().task == Task::regression ? residuals_section(rows)
                                                                      : classes_section(rows));
  if (!rows.importance.variables.empty())
    report.sections.push_back(importance_section(rows.importance, rows.name, false));
  if (decision.threshold) report.facts.emplace_back("threshold", fmt::format("{:g}", *decision.threshold));
  report.facts.emplace_back("weft", version());
  report.facts.emplace_back("machine", machine_text(run));
  return report;
}

}  // namespace weft
