#include <weft/describe.hpp>
#include <weft/version.hpp>

#include "report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr double kHoldout = 0.2;

/// Some theorems and some fits exclude each other: the section then says why it is empty.
template <class Make>
ReportSection section_or_reason(const char* heading, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return {.heading = heading, .paragraphs = {fmt::format("There is none: {}.", error.message())}};
  }
}

std::uint64_t seed_of(const Model& model) {
  const auto found = model.parts().options.find("seed");
  return found == model.parts().options.end() ? 1 : std::stoull(found->second);
}

/// A part of the training rows, predicted by a model that has not seen them.
HeldOut second_fit(const Described& subject, const Run& run) {
  const DataSplit parts = hold_out(subject.train, subject.model.parts().encoder.options(),
                                   {.holdout = kHoldout, .seed = seed_of(subject.model)}, run);
  return predict_held_out(subject.refit(parts.train), parts.test, "rows held out of a second fit", run);
}

/// Test rows, or those of a second fit; `reason`: why that was not possible, for instance for want of rows.
std::optional<HeldOut> judge(const Described& subject, std::string& reason, const Run& run) {
  if (subject.test) return predict_held_out(subject.model, *subject.test, "test rows", run);
  if (!subject.refit) return std::nullopt;
  try {
    return second_fit(subject, run);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    reason = fmt::format("A second fit to a part of the rows was not possible: {}.", error.message());
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
  return fmt::format("{}, predicted from {} variables of {} rows by {} features{}{}.", what,
                     parts.encoder.inputs().variables(), parts.encoder.rows_seen(), parts.map.features(),
                     families.empty() ? " of a kernel" : ": ", fmt::join(families, " and "));
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
  const std::optional<HeldOut> rows = judge(subject, reason, run);
  const bool classes = subject.model.target().task != Task::regression;
  Report report{.title = fmt::format("Prediction of {}", fmt::join(subject.model.target().names, ", ")),
                .summary = summary_of(subject)};
  auto& sections = report.sections;
  sections.push_back(errors_section(subject, rows ? &*rows : nullptr, run));
  if (!reason.empty()) sections.back().paragraphs.push_back(reason);
  if (rows) sections.push_back(classes ? classes_section(*rows) : residuals_section(*rows));
  if (subject.search && !subject.search->curve.empty()) sections.push_back(curve_section(*subject.search));
  if (subject.search) sections.push_back(search_section(*subject.search));
  if (auto section = variables_section(subject, seed_of(subject.model), run)) sections.push_back(std::move(*section));
  if (auto section = activation_section(subject.model)) sections.push_back(std::move(*section));
  sections.push_back(section_or_reason("Pruning", [&] { return prune_section(subject, run); }));
  sections.push_back(section_or_reason("Certificate", [&] { return certificate_section(subject, run); }));
  add_facts(report, subject, run);
  return report;
}

}  // namespace weft
