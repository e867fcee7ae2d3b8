#include <weft/sums.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"
#include "cli/sums_report.hpp"

namespace weft::cli {

namespace {

struct SumsArguments {
  std::string data;
  std::string plan;
  std::string out;
  bool json = false;
  RunOptions run;
};

void run_sums(const SumsArguments& arguments) {
  check_output_files({{"--out", arguments.out}}, {{"the table", arguments.data}, {"the plan", arguments.plan}});
  Session session(arguments.run, arguments.json);
  const Plan plan = Plan::load(arguments.plan);
  const Sums sums = Sums::of(plan, plan.read(arguments.data, session.run()), session.run());
  sums.save(arguments.out);
  session.finish_progress();
  print_sums(sums, arguments.out, arguments.json);
}

}  // namespace

void add_sums(App& app) {
  auto* command = app.add_subcommand("sums", "Sum the rows of one part of a plan");
  command->footer(
      "The table is recognised by its cells: it may have another name than when the plan was made. It is read as the\n"
      "plan says. The file is written when it is complete; a command that was stopped is run again.\n"
      "Example:\n  weft sums part-2.csv --plan plan.weft --out part-2.sums");
  auto arguments = std::make_shared<SumsArguments>();
  add_data(*command, arguments->data);
  command->add_option("--plan", arguments->plan, "file of weft plan")->required();
  command->add_option("--out", arguments->out, "file to write")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_sums(*arguments); });
}

}  // namespace weft::cli
