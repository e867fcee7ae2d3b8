#include <weft/sums.hpp>

#include "cli/class_spellings.hpp"
#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"
#include "cli/sums_report.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

struct SolveArguments {
  std::vector<std::string> sums;
  std::string model;
  bool json = false;
  SolveOptions solve;
  RunOptions run;
  std::string command;
};

void print_solution(const Model& model, const std::string& path) {
  const ModelParts& parts = model.parts();
  print_out("{} features of {}, {} inputs, {} rows, {} ({})\n{}\n", model.features(), parts.options.at("family"),
            parts.map.inputs().columns(), parts.provenance.at("rows"), parts.options.at("fit"),
            task_name(model.target().task), target_line(model.target()));
  TextTable table({"fit", "value"});
  for (const auto& [name, value] : parts.report.numbers) table.add({name, shown(value)});
  print_out("{}", table.text());
  for (const std::string& warning : parts.report.warnings) print_line("note: " + warning);
  print_out("model written to {}\n", path);
}

void run_solve(const SolveArguments& arguments) {
  std::vector<InputFile> inputs;
  for (const std::string& path : arguments.sums) inputs.push_back({"one of the sums", path});
  check_output_files({{"--model", arguments.model}}, inputs);
  Session session(arguments.run, arguments.json);
  ModelParts parts = solve(merged_sums(arguments.sums), arguments.solve, session.run()).parts();
  parts.provenance["command"] = arguments.command;
  const Model model(std::move(parts));
  model.save(arguments.model);
  if (const std::string note = spelling_note(model.target()); !note.empty()) session.run().warn(note);
  session.finish_progress();
  if (arguments.json)
    print_line(model.to_json());
  else if (verbosity() != Verbosity::quiet)
    print_solution(model, arguments.model);
}

}  // namespace

void add_solve(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("solve", "Make the model that sums determine");
  command->footer(
      "Several files are merged first. The model is that of weft train on the table of all parts. No row is read: "
      "another\n"
      "--lambda takes seconds.\n"
      "Example:\n  weft solve all.sums --model price.weft");
  auto arguments = std::make_shared<SolveArguments>();
  arguments->command = command_text(command_line);
  command->add_option("sums", arguments->sums, "files of weft sums or weft merge")->required();
  command->add_option("--model", arguments->model, "file to write the model to")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->solve);
  add_fields(*command, arguments->run, "Run", {"threads", "max_memory"});
  command->callback([arguments] { run_solve(*arguments); });
}

}  // namespace weft::cli
