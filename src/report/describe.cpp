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

/// A part of the training rows, predicted by a model fitted without them.
EvaluationRows second_fit(const Described& subject, const Run& run) {
  const DataSplit parts = hold_out(subject.train, subject.model.parts().encoder.options(),
                                   {.holdout = kHoldout, .seed = seed_of(subject.model)}, run);
  return {"rows held out from a second fit", predict_held_out(subject.refit(parts.train), parts.test, run)};
}

/// Test rows, or those of a second fit; `reason`: why that was not possible, for instance too few rows.
std::optional<EvaluationRows> evaluation_rows(const Described& subject, std::string& reason, const Run& run) {
  if (subject.test) return EvaluationRows{"test rows", predict_held_out(subject.model, *subject.test, run)};
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
  const std::string what =
      target.task == Task::regression ? "A number" : fmt::format("One of {} classes", target.classes.size());
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
  for (const std::string& warning : parts.report.warnings) report.facts.emplace_back("warning", warning);
  report.facts.emplace_back("weft", version());
  report.facts.emplace_back("machine", machine_text(run));
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
  if (rows) sections.push_back(task == Task::regression ? residuals_section(*rows) : classes_section(*rows));
  if (search != nullptr && !search->curve.empty()) sections.push_back(curve_section(*search));
  if (search != nullptr) sections.push_back(search_section(*search));
  if (!model.parts().report.tried.empty()) sections.push_back(tried_section(model.parts().report.tried));
  if (!model.parts().members.empty()) sections.push_back(members_section(model.parts().members));
  if (!model.parts().relevance.empty()) sections.push_back(relevance_section(model.relevance()));
  if (model.parts().map.inputs().variables() > 1)
    sections.push_back(
        variables_section(variable_importance(model, subject.train, {.seed = seed_of(model)}, run), task));
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

}  // namespace weft
