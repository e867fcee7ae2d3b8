#include <weft/sums.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"
#include "cli/sums_report.hpp"

namespace weft::cli {

namespace {

struct MergeArguments {
  std::vector<std::string> sums;
  std::string out;
  bool json = false;
};

void run_merge(const MergeArguments& arguments) {
  std::vector<InputFile> inputs;
  for (const std::string& path : arguments.sums) inputs.push_back({"one of the sums", path});
  check_output_files({{"--out", arguments.out}}, inputs);
  const Sums sums = merged_sums(arguments.sums);
  sums.save(arguments.out);
  print_sums(sums, arguments.out, arguments.json);
}

}  // namespace

void add_merge(App& app) {
  auto* command = app.add_subcommand("merge", "Add the sums of several parts");
  command->footer(
      "Sums of another plan, or of a part that is there already, are refused. Merged files can be merged further.\n"
      "Example:\n  weft merge part-*.sums --out all.sums");
  auto arguments = std::make_shared<MergeArguments>();
  command->add_option("sums", arguments->sums, "files of weft sums or weft merge")->required();
  command->add_option("--out", arguments->out, "file to write")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  command->callback([arguments] { run_merge(*arguments); });
}

}  // namespace weft::cli
