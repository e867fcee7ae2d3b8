#include "cli/model_report.hpp"

#include <weft/write.hpp>

#include "cli/json.hpp"
#include "cli/measures.hpp"
#include "cli/session.hpp"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>
#include <sys/resource.h>

namespace weft::cli {

namespace {

std::string shown_or_blank(const std::optional<double>& value) {
  return value ? shown(*value) : "";
}

std::string word_of(const FitReport& report, const char* name) {
  const auto found =
      std::find_if(report.words.begin(), report.words.end(), [&](const auto& entry) { return entry.first == name; });
  return found == report.words.end() ? "" : found->second;
}

/// What a search chose, with the number of alternatives, or the members' names.
std::string members_text(const ModelParts& parts) {
  if (const std::string chosen = word_of(parts.report, "chosen"); !chosen.empty())
    return fmt::format("chosen among {}: {}", parts.report.tried.size(), chosen);
  std::vector<std::string> names;
  for (const Member& member : parts.members) names.push_back(member.name);
  return fmt::format("{}", fmt::join(names, " + "));
}

Json training_json(const Model& model, const TrainingSummary& summary) {
  const ModelParts& parts = model.parts();
  Json result = {
      {"family", parts.options.at("family")}, {"features", model.features()}, {"fit", parts.options.at("fit")}};
  if (!summary.path.empty()) result["model"] = summary.path;
  if (!summary.page.empty()) result["page"] = summary.page;
  result["train"] = Json::parse(summary.train.to_json());
  if (summary.test) result["test"] = Json::parse(summary.test->to_json());
  const Json report = Json::parse(parts.report.to_json());  // outlives the loop over its items
  for (const auto& [name, value] : report.items())
    if (name == "seconds")
      result[name] = value;
    else if (name != "warnings")
      result["report"][name] = value;
  if (summary.norms) result["norms"] = Json::parse(summary.norms->to_json());
  result["peak_memory"] = peak_memory();
  result["target"] = target_line(model.target());
  for (const Encoder::DateColumn& column : parts.encoder.date_columns())
    result["dates"][column.variable] = column.parts;
  result["warnings"] = parts.report.warnings;
  for (const std::string& warning : summary.warnings) result["warnings"].push_back(warning);
  return result;
}

/// Squared errors of the codes ±1: they choose λ, and say nothing to the user of a classifier.
bool compares_codes(const std::string& name) {
  return name.find("held_out_error") != std::string::npos || name.find("mse") != std::string::npos;
}

/// How the equations were solved, and how lambda was found: for --verbose.
bool is_of_the_solver(const std::string& name) {
  static const std::set<std::string> names = {"reciprocal_condition",
                                              "relative_residual",
                                              "refinement_steps",
                                              "jitter",
                                              "kkt_violation",
                                              "gradient_norm",
                                              "grams",
                                              "relative_excess",
                                              "passes",
                                              "single_precision_error"};
  return names.contains(name) || name.starts_with("path ");
}

/// Words that are printed above and below the table.
bool has_a_line_of_its_own(const std::string& word) {
  static const std::set<std::string> words = {"chosen", "missing", "levels", "validation"};
  return words.contains(word);
}

void print_notes(const FitReport& report) {
  if (const std::string validation = word_of(report, "validation"); !validation.empty())
    print_out("note: validation: {}\n", validation);
  if (const std::string missing = word_of(report, "missing"); !missing.empty())
    print_out("note: missing cells: {}\n", missing);
  if (const std::string levels = word_of(report, "levels"); !levels.empty()) print_out("note: {}\n", levels);
  for (const std::string& warning : report.warnings) print_line("note: " + warning);
}

void print_tables(const Model& model, const TrainingSummary& summary) {
  const ModelParts& parts = model.parts();
  const auto& [train, rows, test, norms, path, page, warnings] = summary;
  const std::string source = parts.members.empty()
                                 ? fmt::format("{} features of {}", model.features(), parts.options.at("family"))
                                 : members_text(parts);
  print_out("{}, {} inputs, {} rows, {} ({})\n", source, parts.map.inputs().columns(), rows, parts.options.at("fit"),
            task_name(train.task));
  print_out("{}\n", target_line(model.target()));
  for (const Encoder::DateColumn& column : parts.encoder.date_columns())
    print_out("column {}: dates, read as {}\n", column.variable, fmt::join(column.parts, ", "));
  print_out("\n");
  TextTable errors(test ? std::vector<std::string>{"", "train", "test"} : std::vector<std::string>{"", "train"});
  for (const Measure& measure : kMeasures) {
    if (!(train.*measure.value) || !is_shown(train.task, measure)) continue;
    std::vector<std::string> row = {measure.name, shown_or_blank(train.*measure.value)};
    if (test) row.push_back(shown_or_blank((*test).*measure.value));
    errors.add(row);
  }
  print_out("{}\n", errors.text());
  if (const std::string text = details_text(test ? *test : train); !text.empty()) print_out("{}\n", text);
  TextTable details({"fit", "value"});
  const bool verbose = verbosity() == Verbosity::verbose;
  for (const auto& [name, value] : parts.report.numbers) {
    if (train.task != Task::regression && compares_codes(name)) continue;
    if (verbose || !is_of_the_solver(name)) details.add({name, shown(value)});
  }
  for (const auto& [name, value] : parts.report.words)
    if (!has_a_line_of_its_own(name)) details.add({name, value});
  for (std::size_t o = 0; norms && o < std::min<std::size_t>(norms->rkhs.size(), 3); ++o) {
    details.add({"norm of alpha in H", shown(norms->rkhs[o])});
    if (norms->l2p) details.add({"norm of alpha in L2(p)", shown((*norms->l2p)[o])});
  }
  double total = 0;
  for (const auto& [stage, seconds] : parts.report.seconds) {
    total += seconds;
    if (verbose) details.add({stage + " time", fmt::format("{:.3f} s", seconds)});
  }
  details.add({"time of the fit", fmt::format("{:.3f} s", total)});
  details.add({"peak memory", fmt::format("{:.0f} MB", peak_memory() / 1e6)});
  print_out("{}", details.text());
  print_notes(parts.report);
  if (!path.empty()) print_out("\nmodel written to {}\n", path);
  if (!page.empty()) print_out("report written to {}\n", page);
}

}  // namespace

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

std::string target_line(const TargetInfo& target) {
  const std::string name = fmt::format("target {}", fmt::join(target.names, ", "));
  const std::vector<std::string>& classes = target.classes;
  if (classes.empty()) return name + ": regression";
  const auto is_code = [](const std::string& label) {
    return label.find_first_not_of("0123456789", label.starts_with('-') ? 1 : 0) == std::string::npos;
  };
  const bool codes = std::all_of(classes.begin(), classes.end(), is_code);
  const std::string shown = classes.size() <= 3 ? fmt::format("{}", fmt::join(classes, ", "))
                                                : fmt::format("{} … {}", classes.front(), classes.back());
  return fmt::format("{}: {} classes, {}{}", name, classes.size(), codes ? "codes " : "", shown);
}

void print_training(const Model& model, const TrainingSummary& summary, bool json, const TuneResult* search) {
  if (json) {
    Json result = training_json(model, summary);
    if (search != nullptr) result["search"] = Json::parse(search->to_json());
    print_line(result.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (verbosity() != Verbosity::quiet) {
    print_tables(model, summary);
  }
  flush_standard_output();
}

}  // namespace weft::cli
