#include <weft/export.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace weft::cli {

namespace {

struct ExportArguments {
  std::string model;
  std::string out;
  bool json = false;
  ExportOptions options;
  DecisionOptions decision;
  CellRules cells;
};

void run_export(const ExportArguments& arguments) {
  const std::string beside = std::filesystem::path(arguments.out).replace_extension(".bin").string();
  if (arguments.out == "-")
    throw Error(ErrorKind::option, "an exported model is a file, and its name begins the names in it", "--out",
                "give a name, such as model.c");
  check_output_files({{"--out", arguments.out}, {"the file of parameters", beside}}, {{"the model", arguments.model}});
  ExportOptions options = arguments.options;
  options.decision = arguments.decision;
  const ExportedModel exported = export_file(arguments.cells.load(arguments.model), arguments.out, options);
  if (arguments.json) {
    print_line(exported.to_json());
    return;
  }
  print_out("{} parameters, {} numbers and {} texts per row\n{} written to {}\n", exported.parameters,
            exported.number_columns.size(), exported.text_columns.size(), name_of(exported.to), arguments.out);
  if (exported.files.size() > 1) print_out("parameters written to {}\n", exported.files.back());
}

}  // namespace

void add_export(App& app) {
  auto* command = app.add_subcommand("export", "Write a model as a program: C, C++, JavaScript or ONNX");
  command->footer(
      "The program reads the columns of the training table and predicts what weft predict does, without weft.\n"
      "Its head explains how it is called (docs/export.md).\n"
      "Example:\n  weft export price.weft --main --out price.c\n"
      "  cc -O2 price.c -lm -o price && ./price < new.csv");
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  command->add_option("--out", arguments->out, "file to write; NAME.bin beside it where the model is large")
      ->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->options);
  add_fields(*command, arguments->decision);
  arguments->cells.add_to(*command);
  command->callback([arguments] { run_export(*arguments); });
}

}  // namespace weft::cli
