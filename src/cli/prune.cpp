#include <weft/prune.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/measures.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"

#include <filesystem>

namespace weft::cli {

namespace {

struct PruneArguments {
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

/// Also the sizes of the files and the test rows, which the library does not know.
struct Summary {
  PruneResult result;
  double bytes_before = 0;
  double bytes_after = 0;
  std::optional<Evaluation> test_before = {};
  std::optional<Evaluation> test_after = {};
};

double file_size(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path));
}

Json summary_json(const PruneArguments& arguments, const Summary& summary) {
  Json json = Json::parse(summary.result.to_json());
  json["bytes"] = {{"before", summary.bytes_before}, {"after", summary.bytes_after}};
  if (summary.test_before) {
    const Json before = Json::parse(summary.test_before->to_json());
    const Json after = Json::parse(summary.test_after->to_json());
    for (const auto& [name, measure] : kMeasures)
      if (before.contains(name) && after.contains(name))
        json[std::string("test_") + name] = {{"before", before.at(name)}, {"after", after.at(name)}};
  }
  json["model"] = arguments.out;
  return json;
}

/// The measures that both evaluations have.
void add_measures(const std::string& rows, const Evaluation& before, const Evaluation& after, TextTable& table) {
  for (const Measure& measure : kMeasures)
    if (before.*measure.value && after.*measure.value && is_shown(before.task, measure))
      table.add({rows + "_" + measure.name, shown(*(before.*measure.value)), shown(*(after.*measure.value))});
}

void print_changes(const Summary& summary) {
  const PruneResult& result = summary.result;
  TextTable table({"", "before", "after"});
  table.add({"features", std::to_string(result.features_before), std::to_string(result.features_after)});
  table.add({"bytes", shown(summary.bytes_before), shown(summary.bytes_after)});
  table.add({"microseconds_per_row", shown(1e6 * result.seconds_before), shown(1e6 * result.seconds_after)});
  add_measures("train", result.train_before, result.train_after, table);
  if (summary.test_before) add_measures("test", *summary.test_before, *summary.test_after, table);
  for (std::size_t o = 0; o < std::min<std::size_t>(result.norms_before.size(), 3); ++o) {
    table.add({"norm in H", shown(result.norms_before[o]), shown(result.norms_after[o])});
    table.add({"distance in H", "", shown(result.distances[o])});
  }
  print_out("{}\nprediction is {:.2f} times as fast\n\n", table.text(), result.speed_up());
}

void print_summary(const PruneArguments& arguments, const Summary& summary) {
  const PruneResult& result = summary.result;
  print_out("{} of {} features remain ({:.1f} % removed): {}, accept {}{}, refit {}\n\n", result.features_after,
            result.features_before, result.removed_percent(), name_of(result.method), name_of(result.accept),
            result.epsilon ? fmt::format(" within {}", shown(*result.epsilon)) : "", name_of(result.refit));
  print_changes(summary);
  const bool members = !result.model.parts().members.empty();
  TextTable path({members ? "share" : "lambda", "kept", "value", ""});
  // From the whole model to the smallest; the search tries them in another order.
  std::vector<PruneStep> steps = result.path;
  std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.kept > b.kept; });
  for (const PruneStep& step : steps)
    path.add({shown(step.lambda), std::to_string(step.kept), shown(step.value), step.accepted ? "accepted" : ""});
  print_out("{}", path.text());
  for (const std::string& note : result.notes) print_line("note: " + note);
  print_out("\nmodel written to {}\n", arguments.out);
}

/// Where columns have many categories, rows are in the folds that the fit had, which a column of theirs may name.
ReadOptions read_as_in_training(const Model& model, ReadOptions options) {
  if (model.parts().encoder.many_levels().empty()) return options;
  const auto stored = [&](const char* name) {
    const auto found = model.parts().options.find(name);
    return found == model.parts().options.end() ? std::string() : found->second;
  };
  options.rule = {.folds_column = stored("folds_column"), .group = stored("group"), .time = stored("time")};
  return options;
}

void run_prune(const PruneArguments& arguments) {
  check_options(arguments.prune);
  // The model may take the place of the one it is made from.
  check_output_files({{"--out", arguments.out}}, {{"the table", arguments.data}, {"the test table", arguments.test}});
  Session session(arguments.run, arguments.json);
  const Model model = Model::load(arguments.model);
  const ReadOptions read = read_as_in_training(model, arguments.read);
  const Data data = CellRules::read_labelled(model, arguments.data, read, session.run());
  std::optional<Data> test;
  ReadOptions test_read = arguments.read;
  test_read.query.clear();  // of the training table
  if (!arguments.test.empty()) test = CellRules::read_labelled(model, arguments.test, test_read, session.run());
  const double bytes_before = file_size(arguments.model);  // --out may name the same file
  Summary summary{prune(model, data, arguments.prune, session.run()), bytes_before};
  PruneResult& result = summary.result;
  ModelParts parts = result.model.parts();
  parts.provenance["pruned_from"] = fmt::format("{} ({} features)", arguments.model, result.features_before);
  parts.provenance["prune_command"] = arguments.command;
  result.model = Model(std::move(parts));
  result.model.save(arguments.out);
  summary.bytes_after = std::filesystem::is_regular_file(arguments.out)
                            ? file_size(arguments.out)
                            : static_cast<double>(result.model.to_bytes().size());
  if (test) {
    summary.test_before = evaluate(model, *test, session.run());
    summary.test_after = evaluate(result.model, *test, session.run());
  }
  session.finish_progress();
  if (arguments.json)
    print_line(summary_json(arguments, summary).dump(2));
  else if (verbosity() != Verbosity::quiet)
    print_summary(arguments, summary);
}

}  // namespace

void add_prune(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("prune", "Remove features that a model does not need");
  command->footer(
      "DATA are labelled rows, normally the training rows.\n"
      "Example:\n  weft prune price.weft houses.csv --out small.weft --epsilon 0.01");
  auto arguments = std::make_shared<PruneArguments>();
  arguments->command = command_text(command_line);
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data);
  command->add_option("--out", arguments->out, "file to write the smaller model to")->required();
  command->add_option("--test", arguments->test, "file to test both models on");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->prune);
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->run, "Run", {"threads", "max_time"});
  command->callback([arguments] { run_prune(*arguments); });
}

}  // namespace weft::cli
