#include <weft/prune.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <filesystem>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct Arguments {
  std::string model;
  std::string data;
  std::string out;
  std::string test;
  bool json = false;
  PruneOptions prune;
  ReadOptions read;
  RunOptions run;
  std::string command;
};

/// A number before and after.
struct Change {
  std::string name;
  double before = 0;
  double after = 0;
};

struct Summary {
  PruneResult result;
  std::vector<Change> changes;
};

/// The measures that both evaluations have.
void add_changes(const std::string& rows, const Evaluation& before, const Evaluation& after,
                 std::vector<Change>& changes) {
  for (const auto& [name, measure] : kMeasures)
    if (before.*measure && after.*measure)
      changes.push_back({rows + "_" + name, *(before.*measure), *(after.*measure)});
}

double file_size(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path));
}

Json summary_json(const Arguments& arguments, const Summary& summary) {
  const PruneResult& result = summary.result;
  Json json = {{"method", result.method}, {"accept", result.accept}, {"refit", result.refit}};
  if (!arguments.prune.features) json["epsilon"] = result.epsilon;
  json["lambda"] = number(result.lambda);
  json["removed_percent"] =
      100 - 100.0 * static_cast<double>(result.features_after) / static_cast<double>(result.features_before);
  for (const Change& change : summary.changes)
    json[change.name] = {{"before", number(change.before)}, {"after", number(change.after)}};
  json["norms"] = {{"before", numbers(result.norms_before)},
                   {"after", numbers(result.norms_after)},
                   {"distance", numbers(result.distances)}};
  json["speed_up"] = number(result.seconds_before / result.seconds_after);
  for (const PruneStep& step : result.path)
    json["path"].push_back({{"lambda", number(step.lambda)},
                            {"kept", step.kept},
                            {"value", number(step.value)},
                            {"accepted", step.accepted}});
  json["notes"] = result.notes;
  json["model"] = arguments.out;
  return json;
}

void print_summary(const Arguments& arguments, const Summary& summary) {
  const PruneResult& result = summary.result;
  fmt::print("{} of {} features are left ({:.1f} % removed): {}, accept {}{}, refit {}\n\n", result.features_after,
             result.features_before,
             100 - 100.0 * static_cast<double>(result.features_after) / static_cast<double>(result.features_before),
             result.method, result.accept,
             arguments.prune.features ? "" : fmt::format(" within {}", shown(result.epsilon)), result.refit);
  TextTable table({"", "before", "after"});
  for (const Change& change : summary.changes) table.add({change.name, shown(change.before), shown(change.after)});
  for (std::size_t o = 0; o < std::min<std::size_t>(result.norms_before.size(), 3); ++o) {
    table.add({"norm in H", shown(result.norms_before[o]), shown(result.norms_after[o])});
    table.add({"distance in H", "", shown(result.distances[o])});
  }
  fmt::print("{}\nprediction is {:.2f} times as fast\n\n", table.text(), result.seconds_before / result.seconds_after);
  TextTable path({"lambda", "kept", "value", ""});
  for (const PruneStep& step : result.path)
    path.add({shown(step.lambda), std::to_string(step.kept), shown(step.value), step.accepted ? "accepted" : ""});
  fmt::print("{}", path.text());
  for (const std::string& note : result.notes) fmt::print("note: {}\n", note);
  fmt::print("\nmodel written to {}\n", arguments.out);
}

void run_prune(const Arguments& arguments) {
  check_options(arguments.prune);
  check_writable(arguments.out);
  Session session(arguments.run, arguments.json);
  const Model model = Model::load(arguments.model);
  const Data data = read(arguments.data, arguments.read);
  std::optional<Data> test;
  if (!arguments.test.empty()) test = read(arguments.test, arguments.read);
  const double bytes_before = file_size(arguments.model);  // --out may name the same file
  Summary summary{prune(model, data, arguments.prune, session.run()), {}};
  PruneResult& result = summary.result;
  ModelParts parts = result.model.parts();
  parts.provenance["pruned_from"] = fmt::format("{} ({} features)", arguments.model, result.features_before);
  parts.provenance["prune_command"] = arguments.command;
  result.model = Model(std::move(parts));
  result.model.save(arguments.out);
  summary.changes = {
      {"features", static_cast<double>(result.features_before), static_cast<double>(result.features_after)},
      {"bytes", bytes_before, file_size(arguments.out)},
      {"microseconds_per_row", 1e6 * result.seconds_before, 1e6 * result.seconds_after}};
  add_changes("train", result.train_before, result.train_after, summary.changes);
  if (test)
    add_changes("test", evaluate(model, *test, session.run()), evaluate(result.model, *test, session.run()),
                summary.changes);
  session.finish_progress();
  if (arguments.json)
    fmt::print("{}\n", summary_json(arguments, summary).dump(2));
  else
    print_summary(arguments, summary);
}

}  // namespace

void add_prune(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("prune", "Remove the features a model can do without");
  command->footer(
      "DATA are labelled rows, as a rule those of the training.\n"
      "Example:\n  weft prune price.weft houses.csv --out small.weft --epsilon 0.01");
  auto arguments = std::make_shared<Arguments>();
  arguments->command = fmt::format("{}", fmt::join(command_line, " "));
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data);
  command->add_option("--out", arguments->out, "where to write the smaller model")->required();
  command->add_option("--test", arguments->test, "file to test both models on");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->prune, "Pruning");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->run, "Run", {"threads", "max_time"});
  command->callback([arguments] { run_prune(*arguments); });
}

}  // namespace weft::cli
