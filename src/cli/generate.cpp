#include <weft/data.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct GenerateArguments {
  std::string name;
  std::string out = "-";
  GenerateOptions options;
};

void run_generate(const GenerateArguments& arguments) {
  check_options(arguments.options);
  check_output_files({{"--out", arguments.out, true}}, {});
  Session session({}, arguments.out == "-");
  const auto reader = generate(arguments.name, arguments.options).open();
  std::vector<std::string> names;
  for (const Column& column : reader->columns()) names.push_back(column.name);
  TableWriter writer(arguments.out, names);
  for (RawBlock block; reader->next(block, 4096);) {
    session.run().check_cancelled();
    writer.append_transposed(block.columns);
    session.run().report("rows", static_cast<double>(block.first_row + block.rows()),
                         static_cast<double>(arguments.options.rows));
  }
  writer.commit();
}

}  // namespace

void add_generate(App& app) {
  auto* command = app.add_subcommand("generate", "Write a built-in data set");
  command->footer(
      fmt::format("Data sets: {}\nThey can also be read in place: builtin:moons:rows=500,seed=2\n"
                  "Example:\n  weft generate friedman1 --rows 10000 --seed 1 --out friedman1.csv",
                  fmt::join(generator_names(), ", ")));
  auto arguments = std::make_shared<GenerateArguments>();
  command->add_option("name", arguments->name, "name of the data set")->required();
  command->add_option("--out", arguments->out,
                      "output file (.csv, .tsv or .npy; .gz behind it compresses), or - for CSV on standard output");
  add_fields(*command, arguments->options);
  command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace weft::cli
