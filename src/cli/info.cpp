#include <weft/content_id.hpp>
#include <weft/model.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/sums_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct InfoArguments {
  std::string model;
  bool json = false;
  RunOptions run;
};

std::string joined(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(shown(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The first few of a list that may be long.
std::string listed(const std::vector<std::string>& texts) {
  constexpr std::size_t kListed = 12;
  const auto end = texts.begin() + static_cast<Index>(std::min(texts.size(), kListed));
  return fmt::format("{}{}", fmt::join(texts.begin(), end, ", "),
                     texts.size() > kListed ? fmt::format(", … ({})", texts.size()) : "");
}

void print_section(const char* title, const std::vector<std::pair<std::string, std::string>>& lines,
                   std::size_t width = 16) {
  if (lines.empty()) return;
  print_out("{}\n", title);
  for (const auto& [name, text] : lines) print_out("  {:<{}} {}\n", name, width, text);
}

std::string member_text(const Member& member) {
  const LeafSummary summary = member.summary();
  std::string text = fmt::format("{}: weight {}, {}, {} features", member.name, shown(member.weight),
                                 fmt::join(summary.kinds, " and "), summary.features);
  if (summary.leaves > 1) text += fmt::format(" in {} leaves", summary.leaves);
  const std::vector<double>& bandwidths = summary.bandwidths;
  if (!bandwidths.empty()) text += ", bandwidth " + shown(bandwidths.front());
  if (bandwidths.size() > 1) text += " to " + shown(bandwidths.back());
  return text;
}

std::string intervals_text(const Conformity& scores) {
  return fmt::format(", intervals (from {} rows, by {})", scores.loss.rows, name_of(scores.by));
}

void print_relevance(const std::vector<Relevance>& relevance) {
  constexpr std::size_t kListed = 20;
  constexpr double kBar = 30;
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t width = 16;
  for (const Relevance& row : relevance) {
    if (lines.size() == kListed) break;
    std::string text = fmt::format("{:5.1f} %", 100 * row.value);
    const auto length = std::lround(row.value * kBar);
    for (Index k = 0; k < length; ++k) text += k == 0 ? " █" : "█";
    lines.emplace_back(row.variable, std::move(text));
    width = std::max(width, row.variable.size());
  }
  if (relevance.size() > kListed) lines.emplace_back("…", fmt::format("({} variables)", relevance.size()));
  print_section("relevance", lines, width);
}

void print_model(const Model& model, const std::optional<Norms>& norms) {
  const ModelParts& parts = model.parts();
  std::vector<std::pair<std::string, std::string>> lines = {{"task", task_name(model.target().task)},
                                                            {"target", listed(model.target().names)}};
  if (parts.loss.kind != RegressionLoss::squared)
    lines.emplace_back("loss", fmt::format("{}{}", name_of(parts.loss.kind),
                                           parts.loss.is_quantile() ? " " + joined(parts.loss.quantiles) : ""));
  if (!model.target().classes.empty()) lines.emplace_back("classes", listed(model.target().classes));
  for (const FeaturePart& part : parts.map.parts()) {
    std::string text =
        fmt::format("{}: {} features, sigma {}", part.family.name(), part.centres.count(), shown(part.sigma));
    if (!part.family.kernel.none()) text += ", gamma " + shown(part.gamma);
    lines.emplace_back("family", text);
  }
  if (const KernelSections* sections = parts.map.sections()) {
    const Kernel& kernel = sections->kernel;
    std::string text = fmt::format("{}: {} landmarks", kernel.name(), sections->count());
    if (kernel.has_bandwidth()) text += ", bandwidth " + shown(kernel.bandwidth());
    if (kernel.exponent() != 1) text += ", exponent " + shown(kernel.exponent());
    lines.emplace_back("kernel", text);
  }
  for (const Member& member : parts.members) lines.emplace_back("member", member_text(member));
  lines.emplace_back("inputs", listed(parts.map.inputs().names));
  lines.emplace_back("training rows", std::to_string(parts.encoder.rows_seen()));
  lines.emplace_back("predicts",
                     fmt::format("{}{}{}{}", model.target().task == Task::regression ? "numbers" : "classes",
                                 model.has_probabilities() ? ", probabilities" : "",
                                 parts.variance_factor.rows() > 0 ? ", standard deviations" : "",
                                 parts.conformity.empty() ? "" : intervals_text(parts.conformity)));
  if (parts.members.empty()) lines.emplace_back("RKHS norm", norms ? joined(norms->rkhs) : "– (too many features)");
  if (norms && norms->l2p) lines.emplace_back("L2(p) norm", joined(*norms->l2p));
  lines.emplace_back("content id", content_id(model));
  print_section("model", lines);
}

void print_report(const FitReport& report) {
  std::vector<std::pair<std::string, std::string>> lines = report.words;
  for (const auto& [name, value] : report.numbers) lines.emplace_back(name, shown(value));
  for (const auto& [stage, seconds] : report.seconds) lines.emplace_back(stage, shown(seconds) + " s");
  for (const std::string& warning : report.warnings) lines.emplace_back("warning", in_command_line_words(warning));
  print_section("fit", lines);
}

/// False where the file is not one of a table in parts.
bool print_part_file(const InfoArguments& arguments) {
  const std::string& path = arguments.model;
  const std::string contents = part_file_contents(path);
  const auto show = [&](const char* title, const Lines& lines) { print_section(title, lines); };
  if (contents == "statistics") {
    const PartStatistics statistics = PartStatistics::load(path);
    arguments.json ? print_line(json_of(statistics)) : show("statistics of a part", lines_of(statistics));
  } else if (contents == "plan") {
    const Plan plan = Plan::load(path);
    arguments.json ? print_line(plan.to_json()) : show("plan", lines_of(plan));
  } else if (contents == "sums") {
    const Sums sums = Sums::load(path);
    if (arguments.json) {
      print_line(sums.to_json());
    } else {
      show("sums", lines_of(sums));
      show("plan", lines_of(sums.plan()));
    }
  }
  return !contents.empty();
}

void run_info(const InfoArguments& arguments) {
  Session session(arguments.run);
  if (print_part_file(arguments)) return;
  const Model model = Model::load(arguments.model);
  const std::optional<Norms> norms = model.norms(session.run());
  if (arguments.json) {
    Json json = Json::parse(model.to_json(norms));
    json["content_id"] = content_id(model);
    print_line(json.dump(2));
    return;
  }
  print_model(model, norms);
  print_relevance(model.relevance());
  print_report(model.parts().report);
  print_section("options", {model.parts().options.begin(), model.parts().options.end()});
  print_section("provenance", {model.parts().provenance.begin(), model.parts().provenance.end()});
}

}  // namespace

void add_info(App& app) {
  auto* command = app.add_subcommand("info", "Show the contents of a model file, or of a file of plan, sums or merge");
  command->footer("Example:\n  weft info model.weft --json\n  weft info all.sums");
  auto arguments = std::make_shared<InfoArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_info(*arguments); });
}

}  // namespace weft::cli
